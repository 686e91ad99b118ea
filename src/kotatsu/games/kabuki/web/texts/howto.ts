/** How to play, in our own words; `picture` names one the page draws. */
import type { Lang } from '$web/i18n/i18n.svelte';
import type { Chapter as PlainChapter } from '$web/kit/chapters';

export interface Chapter extends PlainChapter {
  picture?: 'masks' | 'actors' | 'check' | 'tokens';
}

export const CHAPTERS: Record<Lang, Chapter[]> = {
  en: [
    {
      title: 'The idea',
      text: [
        'Four actors change their masks all evening. No actor should wear the same mask twice – but who remembers what lies under the top one? Watch the others, keep your own memory in order, and call “Stop!” when a mask comes back.',
      ],
    },
    {
      title: 'The masks',
      picture: 'masks',
      text: [
        'There are ten masks, and each is in the deck five times. Five copies on four actors: sooner or later one has to come back.',
      ],
    },
    {
      title: 'Your turn',
      picture: 'actors',
      text: [
        'You draw a mask, everyone sees it, and you give it to one of the four actors. It covers the mask they wore before; only the top one stays in sight.',
        'You see your mask at once, but you may only place it after the others have had a few seconds to call on the one before.',
        'At a table shown in the lobby you then have 30 seconds; after that the mask goes to an actor by chance. Among friends there is no limit, unless the host sets one.',
      ],
    },
    {
      title: 'Stop!',
      picture: 'check',
      text: [
        'As soon as a mask lies, everyone but the player who placed it may call “Stop!” – until the next mask lies. The first call counts, and there is only one for each mask. If you are sure there is nothing to call, let it pass: when everybody has, play goes on at once.',
        'After a call the actor’s whole stack is opened like a fan, for everybody, for a few seconds. If the mask on top was there before, the caller takes a token from the player who placed it – one for each time it was there. If it was not, the caller gives a token back to the box.',
        'Other pairs in the stack are old mistakes that nobody noticed in time. They cost nothing. The fan closes in the same order: have a good look.',
      ],
    },
    {
      title: 'Fair to slow connections',
      text: [
        'It counts when you pressed, not how quick your network is. The server measures every connection itself and allows for the way a press has travelled, up to 150 ms. Everyone gets to see the receipt: who pressed when, what was allowed for, and by how much it was decided.',
      ],
    },
    {
      title: 'The end',
      picture: 'tokens',
      text: [
        'Each round begins with five tokens for everyone (four if five or six play). It ends at once when somebody has lost their last token, or when the deck is empty and nobody has called on the last mask. Your tokens are your points; whoever ended the round begins the next one.',
        'After three rounds the most points win; equals share the victory. And then, only then, the memory film shows where every mask lay.',
      ],
    },
  ],
  fr: [
    {
      title: 'L’idée',
      text: [
        'Quatre acteurs changent de masque toute la soirée. Aucun ne devrait porter deux fois le même – mais qui se souvient de ce qui se cache sous le dernier ? Surveillez les autres, soignez votre mémoire, et criez « Stop ! » quand un masque revient.',
      ],
    },
    {
      title: 'Les masques',
      picture: 'masks',
      text: [
        'Il y a dix masques, chacun cinq fois dans la pioche. Cinq exemplaires pour quatre acteurs : tôt ou tard, l’un d’eux doit revenir.',
      ],
    },
    {
      title: 'À votre tour',
      picture: 'actors',
      text: [
        'Vous piochez un masque, tout le monde le voit, et vous le donnez à l’un des quatre acteurs. Il recouvre celui qu’il portait ; seul le dernier reste visible.',
        'Vous voyez votre masque tout de suite, mais vous ne pouvez le poser qu’après avoir laissé aux autres quelques secondes pour réagir au précédent.',
        'À une table montrée parmi les tables ouvertes, vous avez alors 30 secondes ; ensuite le masque va à un acteur au hasard. Entre amis, il n’y a pas de limite, sauf si l’hôte en fixe une.',
      ],
    },
    {
      title: 'Stop !',
      picture: 'check',
      text: [
        'Dès qu’un masque est posé, tous sauf celui qui l’a posé peuvent crier « Stop ! » – jusqu’à ce que le suivant soit posé. Seul le premier appel compte, et il n’y en a qu’un par masque. Si vous êtes sûr qu’il n’y a rien à dire, laissez passer : quand tout le monde l’a fait, le jeu continue aussitôt.',
        'Après un appel, toute la pile de l’acteur s’ouvre comme un éventail, devant tout le monde, pendant quelques secondes. Si le masque du dessus y était déjà, qui a crié prend un jeton à qui l’a posé – un pour chaque fois qu’il y était. Sinon, qui a crié rend un jeton à la boîte.',
        'Les autres paires de la pile sont de vieilles erreurs que personne n’a vues à temps. Elles ne coûtent rien. L’éventail se referme dans le même ordre : regardez bien.',
      ],
    },
    {
      title: 'Juste pour les connexions lentes',
      text: [
        'Ce qui compte, c’est l’instant où vous appuyez, pas la vitesse de votre réseau. Le serveur mesure lui-même chaque connexion et tient compte du trajet, jusqu’à 150 ms. Chacun peut lire le reçu : qui a appuyé quand, quel délai a été accordé, et de combien cela s’est joué.',
      ],
    },
    {
      title: 'La fin',
      picture: 'tokens',
      text: [
        'Chaque manche commence avec cinq jetons pour chacun (quatre à cinq ou six joueurs). Elle finit aussitôt que quelqu’un a perdu son dernier jeton, ou quand la pioche est vide et que personne n’a réagi au dernier masque. Vos jetons sont vos points ; qui a mis fin à la manche commence la suivante.',
        'Après trois manches, le plus grand total l’emporte ; à égalité, la victoire est partagée. Et alors, alors seulement, le film de la mémoire montre où était chaque masque.',
      ],
    },
  ],
};
