/** How OCPI writes texts, times and places: parts of several objects. */
import type { DisplayText } from '../../domain/locations/records.ts'

/** Whose objects they are: the account's party. */
export interface Party {
  readonly countryCode: string
  readonly partyId: string
}

export function owner({ countryCode, partyId }: Party): { country_code: string; party_id: string } {
  return { country_code: countryCode, party_id: partyId }
}

/** UTC with a Z (OCPI allows no offset). */
export function time(at: number): string {
  return new Date(at).toISOString()
}

/** At most so many characters. */
export function cut<Text extends string | undefined>(text: Text, length: number): Text {
  if (text === undefined || text.length <= length) return text
  return Array.from<string>(text).slice(0, length).join('') as Text
}

/** Five to seven decimals, and at most eleven characters: a decimeter. */
export function geoLocation(of: { readonly latitude: number; readonly longitude: number }) {
  return { latitude: of.latitude.toFixed(6), longitude: of.longitude.toFixed(6) }
}

export function displayTexts(texts: readonly DisplayText[] | undefined) {
  return filled(texts?.map(({ language, text }) => ({ language: cut(language, 2), text: cut(text, 512) })))
}

/** Empty lists are left out: a receiver reads both the same. */
export function filled<Item>(items: readonly Item[] | undefined): readonly Item[] | undefined {
  return items?.length === 0 ? undefined : items
}
