/** Sounds made on the spot: a knock, a thud, a rumble, a chime. Silent until somebody has touched the page. */

let context: AudioContext | null = null;
const KEY = 'kaboum.mute';

export function muted(): boolean {
  return localStorage.getItem(KEY) === '1';
}

export function mute(off: boolean): void {
  localStorage.setItem(KEY, off ? '1' : '0');
}

export type Sound = 'begin' | 'knock' | 'shot' | 'chime' | 'fall' | 'warning' | 'quake' | 'end';

export function play(sound: Sound): void {
  if (muted() || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  switch (sound) {
    case 'begin':
      tone(440, 0.2);
      return tone(587, 0.35, 0.12);
    case 'warning':
      tone(311, 0.18);
      return tone(311, 0.3, 0.2);
    case 'knock':
      return noise(0.05, 1800, 0.3);
    case 'shot':
      return noise(0.09, 900, 0.35);
    case 'fall':
      noise(0.25, 500, 0.5);
      return noise(0.4, 260, 0.4);
    case 'quake':
      return noise(1.1, 90, 1);
    case 'chime':
      tone(660, 0.25);
      return tone(990, 0.45, 0.09);
    case 'end':
      return tone(330, 0.7);
  }
}

function tone(pitch: number, seconds: number, after = 0): void {
  if (!context) return;
  const [source, gain] = [
    new OscillatorNode(context, { frequency: pitch, type: 'triangle' }),
    new GainNode(context),
  ];
  const start = context.currentTime + after;
  gain.gain.setValueAtTime(0.16, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  source.connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + seconds);
}

function noise(seconds: number, below: number, loud: number): void {
  if (!context) return;
  const buffer = context.createBuffer(1, Math.ceil(seconds * context.sampleRate), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: 'lowpass', frequency: below });
  const gain = new GainNode(context);
  fade(gain, loud, seconds);
  source.connect(filter).connect(gain).connect(context.destination);
  source.start();
}

function fade(gain: GainNode, loud: number, seconds: number): void {
  if (!context) return;
  gain.gain.setValueAtTime(loud, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + seconds);
}
