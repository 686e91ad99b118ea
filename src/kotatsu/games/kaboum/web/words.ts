/** Kaboum in words, in the language on screen. */
import { fill, type Lang } from '$web/i18n/i18n.svelte';
import type { Teller } from '$web/screens/screens';
import { POINTS, TOWERS } from './box';
import en from './texts/en.json';
import fr from './texts/fr.json';
import type { Fact } from './wire';

export type Words = typeof en;

/** What a tile is called, with its points. */
export function tower(tile: number, lang: Lang): string {
  const drawn = TOWERS[tile];
  const name = (lang === 'fr' ? drawn?.nom : drawn?.name) ?? '';
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} (${POINTS[tile] ?? 0})`;
}

const breakdown = (lang: Lang): Record<string, string> =>
  Object.fromEntries(TOWERS.map((_, tile) => [String(tile), tower(tile, lang)]));

export const TEXTS: Record<Lang, Words> = {
  en: { ...en, breakdown: breakdown('en') },
  fr: { ...fr, breakdown: breakdown('fr') },
};

export function tell(fact: Fact, { names, lang }: Teller): string | null {
  const { told } = TEXTS[lang];
  const name = (seat: number) => names[seat] ?? String(seat + 1);
  switch (fact.fact) {
    case 'table_laid':
      return fill(told.table_laid, { builder: name(fact.builder), big: name(fact.big_die) });
    case 'turn_started':
      return fill(told.turn_started, { turn: fact.turn, builder: name(fact.builder) });
    case 'fired':
      return fill(fact.big ? told.firedBig : told.fired, { name: name(fact.seat) });
    case 'landed': {
      const where =
        fact.tile === 'off'
          ? told.landedOff
          : fact.tile === null
            ? told.landed
            : fill(told.landedOn, { tower: tower(fact.tile, lang) });
      return fact.kaboum ? `${where} ${told.kaboum}` : where;
    }
    case 'blocked':
    case 'completed':
    case 'toppled':
      return fill(told[fact.fact], { tower: tower(fact.tile, lang) });
    case 'quake_granted':
    case 'quake':
      return fill(told[fact.fact], { name: name(fact.seat) });
    case 'turn_broken':
      return told.turn_broken;
    case 'turn_ended': {
      const towers = fact.scored.map((tile) => tower(tile, lang)).join(', ');
      const text = fact.scored.length ? told.turn_ended : told.nothing;
      return fill(text, { name: name(fact.builder), towers, points: fact.points });
    }
    case 'game_ended':
      return fact.capped ? told.game_capped : told.game_ended;
  }
}
