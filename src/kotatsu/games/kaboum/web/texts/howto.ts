/** How to play, in our own words. */
import type { Lang } from '$web/i18n/i18n.svelte';
import type { Chapter as PlainChapter } from '$web/kit/chapters';

export interface Chapter extends PlainChapter {
  towers?: boolean;
  /** What to do, and the keys for it. */
  keys?: { head: string; rows: [does: string, keys: string[]][] }[];
}

export const CHAPTERS: Record<Lang, Chapter[]> = {
  en: [
    {
      title: 'The idea',
      text: [
        'One of you is the master builder and puts up towers before the hourglass is empty. Everyone else is a saboteur with a catapult and tries to knock them down, or to block the tiles they stand on. Then the next player builds. Sixteen points win.',
      ],
    },
    {
      title: 'Building',
      towers: true,
      text: [
        'Every tile shows a tower. It counts on that tile only, with every piece as it is drawn, and once it has stood still for half a second. How the whole of it is turned does not matter. It is worth a point for each piece, and the giant one 16: it wins alone.',
        'Drag a piece to carry it; let go, and the hand puts it down. Or click it to take it, and click again to put it down. The wheel turns it, the right button tips it over. With a finger: tap a piece to take it, drag anywhere to move it, and use the buttons. What fell may be built again.',
      ],
    },
    {
      title: 'Shooting',
      text: [
        'Set your catapult on the rail by pointing there, pull back from it and let go; the dots show the way of the die, the ring where it comes down. You have a few small dice a turn, each for one shot; one saboteur also has the large die. The catapult needs a second and a half after a shot.',
        'A die that comes to rest on a tile blocks it to the end of the turn: no tower may be begun or finished there. One that was finished before still counts.',
      ],
    },
    {
      title: 'Kaboum',
      text: [
        'One face of every die has the sign. The second small die that shows it, or the large one at once, gives its shooter an earthquake: one blow on the table’s edge where your catapult stands, as strong as the gauge says when you stop it. There is one a turn at most.',
      ],
    },
    {
      title: 'Keys',
      text: [
        'Everything can be done without a mouse. With Shift the steps are small. On one shared device the builder has the mouse or a finger, and one saboteur has the keyboard: then the arrows and Space are the saboteur’s.',
      ],
      keys: [
        {
          head: 'Builder',
          rows: [
            ['choose a piece, then move it', ['←', '→', '↑', '↓']],
            ['take it, put it down', ['Enter']],
            ['turn it', ['D', 'F']],
            ['tip it forwards, sideways', ['T', 'G']],
            ['hold it higher, lower', ['U', 'J']],
          ],
        },
        {
          head: 'Saboteur',
          rows: [
            ['aim', ['←', '→']],
            ['pull more, less', ['↑', '↓']],
            ['aim higher, lower', ['O', 'L']],
            ['along the rail', ['C', 'V']],
            ['small or large die', ['B']],
            ['shoot', ['Space']],
            ['strike the table', ['K']],
          ],
        },
      ],
    },
    {
      title: 'Looking',
      text: [
        'Drag beside the pieces to walk around the table, use the wheel or two fingers to come nearer; the buttons at the top right bring you back. Point at a tile to see its tower closely. After a turn everyone can watch it again, in slow motion too.',
      ],
    },
  ],
  fr: [
    {
      title: 'L’idée',
      text: [
        'L’un de vous est le maître bâtisseur et dresse des tours avant que le sablier soit vide. Tous les autres sont des saboteurs, avec une catapulte : ils essaient de les renverser, ou de bloquer les tuiles. Puis c’est au suivant de bâtir. Seize points gagnent.',
      ],
    },
    {
      title: 'Bâtir',
      towers: true,
      text: [
        'Chaque tuile montre une tour. Elle ne compte que sur cette tuile, avec chaque pièce comme sur le dessin, une fois qu’elle est restée immobile une demi-seconde. L’orientation de l’ensemble n’importe pas. Elle vaut un point par pièce, et la géante 16 : elle gagne à elle seule.',
        'Glissez une pièce pour la porter ; lâchez, et la main la pose. Ou cliquez pour la prendre, et cliquez encore pour la poser. La molette la tourne, le bouton droit la bascule. Au doigt : touchez une pièce pour la prendre, glissez n’importe où pour la déplacer, et servez-vous des boutons. Ce qui est tombé peut être rebâti.',
      ],
    },
    {
      title: 'Tirer',
      text: [
        'Posez votre catapulte sur le rail en pointant dessus, tirez en arrière et lâchez ; les points montrent le chemin du dé, l’anneau où il tombe. Vous avez quelques petits dés par tour, un tir chacun ; un saboteur a aussi le gros dé. Après un tir, la catapulte demande une seconde et demie.',
        'Un dé qui s’arrête sur une tuile la bloque jusqu’à la fin du tour : on n’y commence ni n’y finit plus rien. Une tour déjà finie compte toujours.',
      ],
    },
    {
      title: 'Kaboum',
      text: [
        'Une face de chaque dé porte le signe. Le deuxième petit dé qui le montre, ou le gros aussitôt, donne à son tireur un tremblement de terre : un coup sur le bord de la table, là où se trouve votre catapulte, aussi fort que la jauge quand vous l’arrêtez. Il y en a un par tour au plus.',
      ],
    },
    {
      title: 'Les touches',
      text: [
        'Tout peut se faire sans souris. Avec Maj, les pas sont petits. Sur un appareil partagé, le bâtisseur a la souris ou le doigt, et un saboteur le clavier : les flèches et Espace sont alors au saboteur.',
      ],
      keys: [
        {
          head: 'Bâtisseur',
          rows: [
            ['choisir une pièce, puis la déplacer', ['←', '→', '↑', '↓']],
            ['la prendre, la poser', ['Entrée']],
            ['la tourner', ['D', 'F']],
            ['la basculer en avant, de côté', ['T', 'G']],
            ['la tenir plus haut, plus bas', ['U', 'J']],
          ],
        },
        {
          head: 'Saboteur',
          rows: [
            ['viser', ['←', '→']],
            ['tirer plus, moins en arrière', ['↑', '↓']],
            ['viser plus haut, plus bas', ['O', 'L']],
            ['le long du rail', ['C', 'V']],
            ['petit ou gros dé', ['B']],
            ['tirer', ['Espace']],
            ['frapper la table', ['K']],
          ],
        },
      ],
    },
    {
      title: 'Regarder',
      text: [
        'Glissez à côté des pièces pour tourner autour de la table, approchez-vous avec la molette ou deux doigts ; les boutons en haut à droite vous ramènent. Pointez une tuile pour voir sa tour de près. Après un tour, chacun peut le revoir, au ralenti aussi.',
      ],
    },
  ],
};
