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
