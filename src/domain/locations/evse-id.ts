/** EVSE ids as eMI3 spells them (LOCATION-A1): country, operator, `E` and the outlet, with `*` between or without. */

const EVSE_ID = /^[A-Z]{2}\*?[A-Z0-9]{3}\*?E[A-Z0-9][A-Z0-9*]{0,30}$/i

/** @example isEvseId('DE*ABC*E4711*1'), isEvseId('DEABCE47111') */
export function isEvseId(text: string): boolean {
  return EVSE_ID.test(text)
}

/** The same for ids that differ in separators and case alone: they name one EVSE. */
export function evseIdKey(evseId: string): string {
  return evseId.replaceAll('*', '').toUpperCase()
}

/** An account that named no party has that of its EVSE ids. */
export function partyInIds(
  evses: readonly { readonly evseId?: string | undefined }[],
): { readonly countryCode: string; readonly partyId: string } | undefined {
  for (const { evseId = '' } of evses) {
    const [, countryCode, partyId] = /^([A-Z]{2})\*?([A-Z0-9]{3})\*?E/i.exec(evseId) ?? []
    if (countryCode && partyId) return { countryCode: countryCode.toUpperCase(), partyId: partyId.toUpperCase() }
  }
  return undefined
}
