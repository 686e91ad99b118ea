/** The language on screen: the browser's at first, then whichever was chosen; switchable at any moment. */
import en from './texts/en.json';
import fr from './texts/fr.json';

export const LANGUAGES = ['en', 'fr'] as const;
export type Lang = (typeof LANGUAGES)[number];
export type Key = keyof typeof en;
export type Values = Record<string, string | number>;

const KEPT = 'kotatsu.language';
const TEXTS: Record<Lang, Record<Key, string>> = { en, fr };

function isLang(value: string | null | undefined): value is Lang {
  return LANGUAGES.some((lang) => lang === value);
}

export function firstLanguage(kept: string | null, wished: readonly string[]): Lang {
  if (isLang(kept)) return kept;
  return wished.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLang) ?? 'en';
}

export function localeOf(lang: Lang, wished: readonly string[]): string {
  return wished.find((tag) => tag.slice(0, 2).toLowerCase() === lang) ?? lang;
}

/** Put values into the `{holes}` of a text. */
export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

class Language {
  lang = $state<Lang>('en');
  /** For dates: English is written in many ways, and the browser knows which is meant. */
  locale = $derived(localeOf(this.lang, navigator.languages));

  start(): void {
    this.choose(firstLanguage(localStorage.getItem(KEPT), navigator.languages), false);
  }

  choose(lang: Lang, keep = true): void {
    this.lang = lang;
    document.documentElement.lang = lang;
    if (keep) localStorage.setItem(KEPT, lang);
  }
}

export const language = new Language();

/** The text of a key in the language on screen. */
export function t(key: Key, values?: Values): string {
  return fill(TEXTS[language.lang][key], values);
}

/** The text of a key that may not exist, such as one made from a code the server sent. */
export function maybe(key: string, values?: Values): string | null {
  const text = (TEXTS[language.lang] as Record<string, string>)[key];
  return text === undefined ? null : fill(text, values);
}
