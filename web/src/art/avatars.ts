/** Twelve small drawings people can go by. Each is a list of filled paths on a 32 × 32 sheet. */

export type Shape = readonly [path: string, fill: string];

export interface Drawing {
  ground: string;
  shapes: readonly Shape[];
}

const INK = '#251d16';
const CREAM = '#fbf3e0';

/** An ellipse as a path. */
const oval = (x: number, y: number, rx: number, ry = rx): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;

const eyes = (apart: number, y: number, size = 1.5): Shape => [
  oval(16 - apart, y, size) + oval(16 + apart, y, size),
  INK,
];

export const AVATARS = {
  fox: {
    ground: '#33447a',
    shapes: [
      ['M5 4l8 6h6l8-6v12l-11 13L5 16z', '#d9682b'],
      ['M7 8l4 3-3 4zM25 8l-4 3 3 4z', '#7a3112'],
      ['M5.5 17l7 1 3.5 11zM26.5 17l-7 1L16 29z', CREAM],
      eyes(4.5, 16),
      ['M14 25.5h4L16 29z', INK],
    ],
  },
  crane: {
    ground: '#8fb3c9',
    shapes: [
      ['M10 32c0-9 2-11 3-17h7c0 6 3 9 3 17z', CREAM],
      [oval(16, 11, 6.5), CREAM],
      ['M9.8 9a6.5 6.5 0 0 1 12.4 0c-3-2-9-2-12.4 0z', '#b5341f'],
      ['M11 13L1 15.5l10 1.5z', '#d8a23a'],
      [oval(14, 11.5, 1.3), INK],
      ['M13 24c3 2 7 2 9.5 0l.5 8H12z', INK],
    ],
  },
  cat: {
    ground: '#b5341f',
    shapes: [
      ['M5 5l7 4h8l7-4v13a11 10 0 0 1-22 0z', CREAM],
      ['M7 8l3.5 2L7 13zM20 9l7-4v9z', '#3a3029'],
      eyes(4.6, 17),
      ['M14.6 20.5h2.8L16 22.2z', '#c9605a'],
      ['M2 19l7 1v.8l-7-.4zM30 19l-7 1v.8l7-.4z', INK],
      [oval(16, 28, 2.4), '#d8a23a'],
    ],
  },
  tanuki: {
    ground: '#4d6b3c',
    shapes: [
      [oval(7, 8, 4) + oval(25, 8, 4), '#4c3a2b'],
      [oval(16, 17, 12, 11), '#a57a4d'],
      ['M4 17c2-5 9-5 11 1-2 6-10 6-11-1zM28 17c-2-5-9-5-11 1 2 6 10 6 11-1z', '#4c3a2b'],
      [oval(16, 23, 5.5, 4), CREAM],
      [oval(10, 17, 2.2) + oval(22, 17, 2.2), CREAM],
      [oval(10.4, 17, 1.3) + oval(21.6, 17, 1.3), INK],
      [oval(16, 21, 2, 1.4), INK],
    ],
  },
  koi: {
    ground: '#1f6f8b',
    shapes: [
      ['M3 8c5 0 6 4 8 5 6-4 14-2 18 5-4 6-12 8-18 4-2 1-3 5-8 5 2-4 3-6 3-9.500S5 12 3 8z', CREAM],
      [
        'M13 12.500c4-2 8-1 10 1-1 4-7 5-10-1zM3 8c5 0 6 4 8 5l-4 3zM12 22c2-2 5-2 6 1-2 1-4 0-6-1z',
        '#d9502b',
      ],
      [oval(25, 17, 1.4), INK],
      ['M17 20c1 3 0 5-3 6 0-3 1-5 3-6z', '#e8c9a0'],
    ],
  },
  owl: {
    ground: '#2b2346',
    shapes: [
      ['M6 5l6 3h8l6-3v15a10 9 0 0 1-20 0z', '#8a5632'],
      [oval(11, 14, 5) + oval(21, 14, 5), CREAM],
      [oval(11.5, 14, 2.5) + oval(20.5, 14, 2.5), INK],
      ['M14.5 17h3L16 21z', '#d8a23a'],
      ['M11 24l2 2 2-2 1 1 1-1 2 2 2-2-1 4h-8z', '#d9b98c'],
    ],
  },
  rabbit: {
    ground: '#d98fa3',
    shapes: [
      [oval(11, 9, 3, 8) + oval(21, 9, 3, 8), '#fff'],
      [oval(11, 9.5, 1.3, 5.5) + oval(21, 9.5, 1.3, 5.5), '#e9a6b4'],
      [oval(16, 21, 10, 9), '#fff'],
      [oval(12, 20, 1.5) + oval(20, 20, 1.5), '#b5341f'],
      ['M14.7 23.500h2.600L16 25z', '#c9605a'],
      [oval(9.5, 24, 1.8, 1.2) + oval(22.5, 24, 1.8, 1.2), '#f3c4cd'],
    ],
  },
  frog: {
    ground: '#e6d38a',
    shapes: [
      [oval(9, 10, 5) + oval(23, 10, 5), '#5c9440'],
      [oval(16, 19, 13, 10), '#5c9440'],
      [oval(9, 10, 3) + oval(23, 10, 3), '#fff'],
      [oval(9.6, 10, 1.7) + oval(22.4, 10, 1.7), INK],
      ['M6 20c4 6 16 6 20 0-3 9-17 9-20 0z', '#d7e5a8'],
      [oval(14, 17.5, 0.7) + oval(18, 17.5, 0.7), INK],
    ],
  },
  turtle: {
    ground: '#7fb8a4',
    shapes: [
      [oval(16, 7, 4.5, 5), '#a8b455'],
      [
        oval(6, 13, 3.5, 2.5) + oval(26, 13, 3.5, 2.5) + oval(8, 27, 3, 2.5) + oval(24, 27, 3, 2.5),
        '#a8b455',
      ],
      [oval(16, 19, 10, 10), '#4d6b3c'],
      ['M16 13l5 3v6l-5 3-5-3v-6zM9 12l3 2M16 9.500v3', '#7c9a54'],
      [oval(14, 5.5, 1) + oval(18, 5.5, 1), INK],
    ],
  },
  panda: {
    ground: '#9cae6d',
    shapes: [
      [oval(7, 8, 4.5) + oval(25, 8, 4.5), INK],
      [oval(16, 18, 12, 11), '#fff'],
      [oval(10.5, 17, 3.2, 4) + oval(21.5, 17, 3.2, 4), INK],
      [oval(11, 16.5, 1.2) + oval(21, 16.5, 1.2), '#fff'],
      [oval(16, 22, 2.2, 1.5), INK],
    ],
  },
  badger: {
    ground: '#7a4a63',
    shapes: [
      [oval(7, 9, 3.5) + oval(25, 9, 3.5), '#3a3029'],
      ['M16 4c9 0 12 8 11 14-1 5-6 11-11 11S6 23 5 18C4 12 7 4 16 4z', '#efe6d6'],
      [
        'M9 6c3 0 4 8 3 14-1 3-3 4-4 4-3-5-3-14 1-18zM23 6c-3 0-4 8-3 14 1 3 3 4 4 4 3-5 3-14-1-18z',
        '#3a3029',
      ],
      [oval(10.5, 15, 1.4) + oval(21.5, 15, 1.4), '#fff'],
      [oval(16, 26, 2.6, 2), INK],
    ],
  },
  crab: {
    ground: '#e3c89a',
    shapes: [
      ['M4 13C1 8 4 4 8 4l-2 4 4-1c0 4-3 7-6 6zM28 13c3-5 0-9-4-9l2 4-4-1c0 4 3 7 6 6z', '#c4432c'],
      ['M5 24l-3 4 5-2zM27 24l3 4-5-2zM8 27l-1 4 4-3zM24 27l1 4-4-3z', '#9c2f1c'],
      [oval(16, 21, 11.5, 8), '#c4432c'],
      ['M12 9h1.500v6H12zM18.5 9H20v6h-1.500z', '#c4432c'],
      [oval(12.8, 9, 2.2) + oval(19.2, 9, 2.2), '#fff'],
      [oval(12.8, 9, 1.1) + oval(19.2, 9, 1.1), INK],
      ['M11 22c3 3 7 3 10 0-2 5-8 5-10 0z', '#6d1a0d'],
    ],
  },
} as const satisfies Record<string, Drawing>;

export type AvatarName = keyof typeof AVATARS;
export const AVATAR_NAMES = Object.keys(AVATARS) as AvatarName[];

export function drawingOf(name: string): Drawing | null {
  return Object.hasOwn(AVATARS, name) ? AVATARS[name as AvatarName] : null;
}
