/** What real partners do otherwise than OCPI says: `pilotwire simulate --partner --list-quirks` prints them. */

const quirk = <const N extends string>(name: N, title: string, page: string) => {
  return { name, title, reference: `https://github.com/${page}` }
}

/** Those of answers hold behind the registration: versions and credentials are answered as they should be. */
export const PARTNER_QUIRKS = [
  quirk('answers-10-mb', 'answers with more than 10 MB', 'citrineos/citrineos-core/pull/1085'),
  quirk('cdr-address-in-body', 'names the address of a CDR in the body alone', 'IZIVIA/ocpi-toolkit/issues/144'),
  quirk('leaves-evse-out', 'allows a token at the location, but not at the EVSE', 'ocpi/ocpi/issues/77'),
  quirk('line-feed-token', 'has a line feed behind its token, inside the base64', 'ocpi/ocpi/pull/369'),
  quirk('no-evse', 'starts a charge at EVSE and connector #NA', 'ocpi/ocpi/issues/459'),
  quirk('no-patch', 'refuses each PATCH with 405', 'citrineos/citrineos-ocpi/pull/120'),
  quirk('offset-times', 'writes its times with +00:00', 'ocpi/ocpi/issues/464'),
  quirk('plain-token', 'sends its token as it is, without base64', 'ocpi/ocpi/issues/212'),
  quirk('redirects', 'answers with a redirect to its new address', 'ThreeMammals/Ocelot/issues/2245'),
  quirk('refuses-pushes', 'answers each push with HTTP 200 and 2000', 'ocpi/ocpi/issues/280'),
  quirk('slow', 'answers after six seconds', 'ocpi/ocpi/issues/186'),
  quirk('trailing-slashes', 'ends its addresses with a slash', 'extrawest/extrawest_ocpi/pull/26'),
]

export type PartnerQuirks = ReadonlySet<(typeof PARTNER_QUIRKS)[number]['name']>
