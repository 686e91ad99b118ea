/** What to call whoever sits on a seat, in the language on screen. */
import { t } from '../i18n/i18n.svelte';
import type { SeatInfo } from '../protocol/wire';

/** Bots go by the names of house spirits, one for each seat, so that they can be told apart. */
const SPIRITS = ['Tanuki', 'Kitsune', 'Kappa', 'Daruma', 'Tengu', 'Maneki', 'Kodama', 'Baku'];

export function seatName(seat: SeatInfo, number: number): string {
  if (seat.kind === 'open') return t('seat.open');
  if (seat.name !== '') return seat.name;
  if (seat.kind === 'bot') return SPIRITS[number % SPIRITS.length] ?? t('seat.bot');
  return t('seat.guest', { seat: number + 1 });
}

/** Who sits around the table; two of the same name are told apart by their seats. */
export function seatNames(seats: readonly SeatInfo[]): string[] {
  const names = seats.map(seatName);
  return names.map((name, number) =>
    seats[number]?.kind !== 'open' && names.indexOf(name) !== names.lastIndexOf(name)
      ? `${name} ${number + 1}`
      : name,
  );
}
