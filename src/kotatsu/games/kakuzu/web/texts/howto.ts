/** How to play, in our own words; `picture` names one the page draws. */
import type { Lang } from '$web/i18n/i18n.svelte';
import type { Chapter as PlainChapter } from '$web/kit/chapters';

export interface Chapter extends PlainChapter {
  picture?: 'sudoku' | 'bag' | 'reason' | 'marks';
  /** What the picture shows, for those who do not see it. */
  shows?: string;
}

export const CHAPTERS: Record<Lang, Chapter[]> = {
  en: [
    {
      title: 'The idea',
      picture: 'sudoku',
      shows: 'A piece of the board: some digits lie open, the others are under stones.',
      text: [
        'Under 81 stones lies a finished Sudoku: every row, every column and every square of nine holds each digit from 1 to 9 once. You look for digits under the stones. Whoever holds the most stones at the end wins.',
      ],
    },
    {
      title: 'Opening',
      text: [
        'First the nine squares are opened. In turn, everyone lifts one stone in a square where none has been lifted yet. These nine stones belong to nobody; the digits stay visible, as everything revealed later does.',
      ],
    },
    {
      title: 'A turn',
      picture: 'bag',
      shows: 'The bag, and a drawn digit: 9.',
      text: [
        'A digit is drawn for you from the bag. A zero ends your turn on the spot. For any other digit, lift the one stone where you believe it lies.',
        'Right? The stone is yours, the digit stays out of the bag, and another is drawn: your turn goes on. Wrong? The stone goes to your neighbour on the left, and your turn is over.',
        'When a turn ends, the digits drawn in it go back into the bag. If the bag is empty, the turn is over as well.',
        'Once all nine of a digit are visible, it leaves the bag for good.',
      ],
    },
    {
      title: 'Where is it?',
      picture: 'reason',
      shows:
        'Three squares side by side. The first and the second show a 9 in their rows, so the 9 of the third can only lie in the last free place of the remaining row.',
      text: [
        'Think as in a Sudoku. In the picture a 9 is wanted. Two of the three rows already have theirs, so in the square on the right it must be in the last row, and only one stone is left there.',
        'If nothing is certain, look for the stone with the best chance. A miss helps everyone: what it reveals stays open.',
      ],
    },
    {
      title: 'Aids',
      text: [
        'Pencil: write possible digits on the stones. Only you see them; they never leave your browser. With the keyboard, move to a stone and type the digit.',
        'Conflicts: marks that cannot be right are struck out, and when you point at a stone where the wanted digit cannot be, what forbids it lights up.',
        'Hint: the coach shows where the digit certainly is and why, or where the odds are best. On a tournament clock, in a competition and in a game that counts for the ratings the coach stays silent until the end. Afterwards it goes through the game with you, stone by stone.',
      ],
    },
    {
      title: 'Other ways to play',
      text: [
        'Same digit again: after a success you go on with the same digit, until you miss or its ninth is found.',
        'Name the digit: there is no bag. Before each stone you name a digit that still lies hidden somewhere. Three stones kept, and the turn is over.',
        'Tournament clock: everyone has the same time for the whole game, and it runs on when you leave or reload the page. Without time your turns pass and you win no more stones; those your neighbour misses go to the next player who has time left.',
        'Alone: stones you miss go to the house. You win with more stones than the house has.',
      ],
    },
    {
      title: 'The end',
      text: ['The game is over when no stone is left. Most stones win; a tie shares the victory.'],
    },
  ],
  fr: [
    {
      title: 'L’idée',
      picture: 'sudoku',
      shows: 'Un morceau du plateau : quelques chiffres sont visibles, les autres sont sous des pierres.',
      text: [
        'Sous 81 pierres se cache un Sudoku achevé : chaque ligne, chaque colonne et chaque carré de neuf contient une fois chaque chiffre de 1 à 9. Vous cherchez les chiffres sous les pierres. Qui a le plus de pierres à la fin l’emporte.',
      ],
    },
    {
      title: 'L’ouverture',
      text: [
        'On ouvre d’abord les neuf carrés. Chacun à son tour lève une pierre dans un carré où l’on n’en a pas encore levé. Ces neuf pierres ne sont à personne ; les chiffres restent visibles, comme tout ce que l’on découvre ensuite.',
      ],
    },
    {
      title: 'Un tour',
      picture: 'bag',
      shows: 'Le sac, et un chiffre pioché : 9.',
      text: [
        'Un chiffre est pioché pour vous dans le sac. Un zéro finit aussitôt votre tour. Pour tout autre chiffre, levez la pierre sous laquelle vous le croyez.',
        'Juste ? La pierre est à vous, le chiffre reste hors du sac, et l’on en pioche un autre : votre tour continue. Faux ? La pierre va à votre voisin de gauche, et votre tour est fini.',
        'Quand un tour finit, les chiffres piochés retournent dans le sac. Si le sac est vide, le tour est fini aussi.',
        'Quand les neuf exemplaires d’un chiffre sont visibles, il quitte le sac pour de bon.',
      ],
    },
    {
      title: 'Où est-il ?',
      picture: 'reason',
      shows:
        'Trois carrés côte à côte. Le premier et le deuxième montrent un 9 dans leurs lignes ; le 9 du troisième ne peut être qu’à la dernière place libre de la ligne restante.',
      text: [
        'Raisonnez comme au Sudoku. Sur l’image, on cherche un 9. Deux des trois lignes ont déjà le leur ; dans le carré de droite, il est donc dans la dernière ligne, et il n’y reste qu’une pierre.',
        'Si rien n’est sûr, cherchez la pierre qui a la meilleure chance. Une erreur sert à tous : ce qu’elle découvre reste visible.',
      ],
    },
    {
      title: 'Les aides',
      text: [
        'Crayon : notez sur les pierres les chiffres possibles. Vous seul les voyez ; ils ne quittent jamais votre navigateur. Au clavier, allez sur une pierre et tapez le chiffre.',
        'Conflits : les notes impossibles sont barrées, et quand vous montrez une pierre où le chiffre cherché ne peut pas être, ce qui l’interdit s’éclaire.',
        'Conseil : le conseiller montre où le chiffre est à coup sûr et pourquoi, ou bien où la chance est la meilleure. À la pendule de tournoi, en compétition et dans une partie qui compte pour la cote, il se tait jusqu’à la fin. Ensuite il reprend la partie avec vous, pierre par pierre.',
      ],
    },
    {
      title: 'D’autres façons de jouer',
      text: [
        'Le même chiffre encore : après une réussite, on continue avec le même chiffre, jusqu’à l’erreur ou jusqu’au neuvième.',
        'Annoncer le chiffre : il n’y a pas de sac. Avant chaque pierre, vous annoncez un chiffre encore caché quelque part. Trois pierres gardées, et le tour est fini.',
        'Pendule de tournoi : chacun a le même temps pour toute la partie, et il court même si vous quittez ou rechargez la page. Sans temps, vos tours passent et vous ne gagnez plus de pierre ; celles que manque votre voisin vont au prochain joueur qui a encore du temps.',
        'Seul : les pierres manquées vont à la maison. Vous gagnez si vous en avez plus qu’elle.',
      ],
    },
    {
      title: 'La fin',
      text: [
        'La partie est finie quand il ne reste plus de pierre. Le plus grand nombre de pierres gagne ; à égalité, la victoire est partagée.',
      ],
    },
  ],
};
