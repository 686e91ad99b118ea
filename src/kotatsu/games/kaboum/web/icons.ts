/** The signs on the buttons, as strokes on a field of 24 by 24. */
export const PATHS = {
  turnLeft: 'M6 8a7 7 0 1 1-1 7M6 3v5h5',
  turnRight: 'M18 8a7 7 0 1 0 1 7M18 3v5h-5',
  tip: 'M3 20h8v-8H3zM12 9a6 6 0 0 1 8 6m0 0-3-3m3 3 2-3.5',
  tipForward: 'M8 21h8v-7H8zM7 10a5.5 5.5 0 0 1 10 0m0 0-.5-4.5M17 10l-4.5-1',
  raise: 'M12 20V5m-6 6 6-6 6 6',
  lower: 'M12 4v15m-6-6 6 6 6-6',
  putDown: 'M12 3v9m-5-4 5 5 5-5M4 20h16M7 16h10v4H7z',
  left: 'M19 12H5m6-6-6 6 6 6',
  right: 'M5 12h14m-6-6 6 6-6 6',
  steeper: 'M4 20h16M4 20 15 6m0 0-6 1.5M15 6l.5 6',
  flatter: 'M4 20h16M4 20 18 13m0 0-6-1m6 1-2.5 5',
  weaker: 'M5 12h14',
  stronger: 'M5 12h14M12 5v14',
  builder: 'M4 20V10l8-6 8 6v10zM10 20v-6h4v6',
  above: 'M4 4h16v16H4zM9.3 4v16M14.6 4v16M4 9.3h16M4 14.6h16',
  saboteur: 'M12 3v4m0 10v4M3 12h4m10 0h4M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10z',
  sound: 'M4 9h4l5-4v14l-5-4H4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11',
  silence: 'M4 9h4l5-4v14l-5-4H4zM16 9.5l5 5m0-5-5 5',
  play: 'M7 4v16l12-8z',
  rotate: 'M8 3h8v18H8zM3 8a10 10 0 0 1 3-4M21 16a10 10 0 0 1-3 4',
};

export type Sign = keyof typeof PATHS;
