import { expect, test } from 'vitest';
import { fill, firstLanguage, localeOf, maybe, t } from './i18n.svelte';
import en from './texts/en.json';
import fr from './texts/fr.json';

const holes = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test('French and English have the same keys, in the same order, with the same holes', () => {
  expect(Object.keys(fr)).toEqual(Object.keys(en));
  for (const key of Object.keys(en) as (keyof typeof en)[])
    expect(holes(fr[key]), key).toEqual(holes(en[key]));
});

test('the language is the one kept, else the first the browser wishes for, else English', () => {
  expect(firstLanguage('fr', ['en-GB'])).toBe('fr');
  expect(firstLanguage(null, ['de-DE', 'fr-CA', 'en'])).toBe('fr');
  expect(firstLanguage('klingon', ['ja'])).toBe('en');
});

test('dates are written as the browser writes them in the language on screen', () => {
  expect(localeOf('en', ['fr-FR', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(localeOf('fr', ['en-GB'])).toBe('fr');
});

test('a hole nobody fills stays visible', () => {
  expect(fill('{a} and {b}', { a: 1 })).toBe('1 and {b}');
});

test('a key made from a code may not exist', () => {
  expect(maybe('refused.stale')).toBe(t('refused.stale'));
  expect(maybe('refused.unheard_of')).toBeNull();
});
