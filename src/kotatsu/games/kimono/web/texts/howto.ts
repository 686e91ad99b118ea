/** How to play, in our own words; `{…}` names a picture the page draws. */
import type { Lang } from '$web/i18n/i18n.svelte';
import type { Chapter as PlainChapter } from '$web/kit/chapters';

export interface Chapter extends PlainChapter {
  picture?: 'fabrics' | 'market' | 'combination' | 'styles' | 'accessories';
}

export const CHAPTERS: Record<Lang, Chapter[]> = {
  en: [
    {
      title: 'The idea',
      text: [
        'You are dressing a girl for the festival. Take fabrics from the market, keep them in the order they came, and lay them as combinations into your kimono. The kimono that earns the most points wins.',
      ],
    },
    {
      title: 'The cards',
      picture: 'fabrics',
      text: [
        'There are nine fabrics, five of each. The number tells everything else: the motif, whether it is an animal (paw) or a plant (leaf), and the mark of the draper who sells it (triangle, flower or star).',
      ],
    },
    {
      title: 'The market',
      picture: 'market',
      text: [
        'There are as many rounds as players, and each brings a new market of overlapping rows. On your turn you take one card: the front card of a row, the one nothing covers.',
        'A fabric goes to the right end of your hand. Hands lie open and their order never changes.',
      ],
    },
    {
      title: 'Combinations',
      picture: 'combination',
      text: [
        'After taking a fabric you may lay one combination: the last cards of your hand, side by side, ending with the card you have just taken. They move to the right end of your kimono, a button marks them on the board, and you score their points.',
        'From your second combination on, the last card of your kimono may lead: it counts as the first card of the new combination without being laid again. In the picture it has a dashed frame.',
      ],
    },
    {
      title: 'The nine styles',
      picture: 'styles',
      text: [
        'The larger a combination, the more it is worth. The same one may be made again. If several are possible, you choose.',
      ],
    },
    {
      title: 'Accessories',
      picture: 'accessories',
      text: [
        'An accessory is laid at once beside the girl and is worth one point at the end, but you make no combination in that turn.',
      ],
    },
    {
      title: 'The end',
      text: [
        'Everyone takes twelve cards in all. To your combinations are added: 1 for each accessory, 2 if all twelve cards are placed and, with at least eight placed, a bonus for variety: a kimono of very few fabrics (1 → 5, 2 → 4, 3 → 3, 4 → 2) or of very many (6 → 2, 7 → 3, 8 → 4, 9 → 5) earns it, one of five earns nothing.',
        'A tie goes to whoever has placed more cards.',
      ],
    },
  ],
  fr: [
    {
      title: 'L’idée',
      text: [
        'Vous habillez une jeune fille pour la fête. Prenez des étoffes au marché, gardez-les dans l’ordre où elles sont venues, et posez-les en combinaisons dans votre kimono. Le kimono qui rapporte le plus de points l’emporte.',
      ],
    },
    {
      title: 'Les cartes',
      picture: 'fabrics',
      text: [
        'Il y a neuf étoffes, cinq de chaque. Le numéro dit tout le reste : le motif, animal (patte) ou plante (feuille), et la marque du drapier qui la vend (triangle, fleur ou étoile).',
      ],
    },
    {
      title: 'Le marché',
      picture: 'market',
      text: [
        'Il y a autant de manches que de joueurs, et chacune apporte un nouveau marché en rangées qui se chevauchent. À votre tour, prenez une carte : celle de devant d’une rangée, que rien ne couvre.',
        'Une étoffe va au bout droit de votre main. Les mains sont visibles de tous et leur ordre ne change jamais.',
      ],
    },
    {
      title: 'Les combinaisons',
      picture: 'combination',
      text: [
        'Après avoir pris une étoffe, vous pouvez poser une combinaison : les dernières cartes de la main, côte à côte, jusqu’à celle que vous venez de prendre. Elles passent au bout droit du kimono, un bouton les marque au tableau, et leurs points sont à vous.',
        'Dès la deuxième combinaison, la dernière carte du kimono peut mener : elle compte comme première carte de la nouvelle combinaison sans être posée à nouveau. Sur l’image, elle a un cadre en tirets.',
      ],
    },
    {
      title: 'Les neuf styles',
      picture: 'styles',
      text: [
        'Plus une combinaison est grande, plus elle vaut. On peut refaire la même. Si plusieurs sont possibles, vous choisissez.',
      ],
    },
    {
      title: 'Les accessoires',
      picture: 'accessories',
      text: [
        'Un accessoire se pose tout de suite près de la jeune fille et vaut un point à la fin, mais sans combinaison à ce tour.',
      ],
    },
    {
      title: 'La fin',
      text: [
        'Chacun prend douze cartes en tout. Aux combinaisons s’ajoutent : 1 par accessoire, 2 si les douze cartes sont posées et, dès huit cartes posées, une prime de variété : un kimono de très peu d’étoffes (1 → 5, 2 → 4, 3 → 3, 4 → 2) ou de beaucoup (6 → 2, 7 → 3, 8 → 4, 9 → 5) la reçoit, un kimono de cinq ne reçoit rien.',
        'À égalité, celui qui a posé le plus de cartes l’emporte.',
      ],
    },
  ],
};
