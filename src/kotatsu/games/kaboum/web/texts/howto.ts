/** How to play, in our own words. */
import type { Lang } from '$web/i18n.svelte';

export interface Chapter {
  title: string;
  text: string[];
  towers?: boolean;
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
        'Drag a piece to carry it; let go, and the hand puts it down. Turn it with the wheel or Q and E, tip it with T and G. What fell may be built again.',
      ],
    },
    {
      title: 'Shooting',
      text: [
        'Set your catapult on the rail by pointing there, pull back from it and let go. You have a few small dice a turn, each for one shot; one saboteur also has the large die. The catapult needs a second and a half after a shot.',
        'A die that comes to rest on a tile blocks it to the end of the turn: no tower may be begun or finished there. One that was finished before still counts.',
      ],
    },
    {
      title: 'Kaboum',
      text: [
        'One face of every die has the sign. The second small die that shows it, or the large one at once, gives its shooter an earthquake: one blow on the table, as strong as the gauge says when you stop it. There is one a turn at most.',
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
        'Glissez une pièce pour la porter ; lâchez, et la main la pose. Tournez-la avec la molette ou Q et E, basculez-la avec T et G. Ce qui est tombé peut être rebâti.',
      ],
    },
    {
      title: 'Tirer',
      text: [
        'Posez votre catapulte sur le rail en pointant dessus, tirez en arrière et lâchez. Vous avez quelques petits dés par tour, un tir chacun ; un saboteur a aussi le gros dé. Après un tir, la catapulte demande une seconde et demie.',
        'Un dé qui s’arrête sur une tuile la bloque jusqu’à la fin du tour : on n’y commence ni n’y finit plus rien. Une tour déjà finie compte toujours.',
      ],
    },
    {
      title: 'Kaboum',
      text: [
        'Une face de chaque dé porte le signe. Le deuxième petit dé qui le montre, ou le gros aussitôt, donne à son tireur un tremblement de terre : un coup sur la table, aussi fort que la jauge quand vous l’arrêtez. Il y en a un par tour au plus.',
      ],
    },
  ],
};
