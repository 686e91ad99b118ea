// boardgame.io with a game of about Kimono's size: rows of cards on a market, a player takes one, chance refills it.
// node peer.cjs PORT [FOLDER]: matches are kept in memory, or in files in FOLDER.
const { Server, FlatFile } = require('boardgame.io/server');

const ROWS = 4;
const CARDS = 3;

const bench = {
  name: 'bench',
  setup: ({ ctx, random }) => ({
    rows: Array.from({ length: ROWS }, () => Array.from({ length: CARDS }, () => random.Die(54))),
    money: Array(ROWS).fill(0),
    hands: Array.from({ length: ctx.numPlayers }, () => []),
    scores: Array(ctx.numPlayers).fill(0),
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    take: ({ G, playerID, random }, row) => {
      if (!Number.isInteger(row) || row < 0 || row >= ROWS) return 'INVALID_MOVE';
      G.hands[playerID].push(...G.rows[row]);
      if (G.hands[playerID].length > 24) G.hands[playerID].splice(0, CARDS);
      G.scores[playerID] += G.money[row];
      G.money = G.money.map((coins, other) => (other === row ? 0 : coins + 1));
      G.rows[row] = Array.from({ length: CARDS }, () => random.Die(54));
    },
  },
};

const [port, folder] = process.argv.slice(2);
const db = folder ? new FlatFile({ dir: folder }) : undefined;
Server({ games: [bench], origins: ['http://127.0.0.1'], db }).run({
  port: Number(port),
  callback: () => console.log('open'),
});
