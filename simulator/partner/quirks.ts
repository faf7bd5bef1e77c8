/** What real partners do otherwise than OCPI says: `pilotwire simulate --partner --list-quirks` prints them. */
import type { Quirk } from '../quirks/quirk.ts'

/** Those of answers hold behind the registration: versions and credentials are answered as they should be. */
export const PARTNER_QUIRKS = [
  {
    name: 'answers-10-mb',
    title: 'answers with more than 10 MB, as a platform does that knows no pages',
    reference: 'https://github.com/citrineos/citrineos-core/pull/1085',
    expected: 'stops reading, and goes on with the other partners',
  },
  {
    name: 'cdr-address-in-body',
    title: 'names the address of a CDR in the body of its answer, and has no Location header',
    reference: 'https://github.com/IZIVIA/ocpi-toolkit/issues/144',
    expected: 'takes 1000 for the delivery, and sends the CDR once',
  },
  {
    name: 'leaves-evse-out',
    title: 'allows a token at the location, but not at the EVSE that was asked for',
    reference: 'https://github.com/ocpi/ocpi/issues/77',
    expected: 'refuses the card at this EVSE',
  },
  {
    name: 'line-feed-token',
    title: 'has a line feed behind its token, inside the base64',
    reference: 'https://github.com/ocpi/ocpi/pull/369',
    expected: 'takes the token without the line feed',
  },
  {
    name: 'no-evse',
    title: 'starts a charge at EVSE and connector #NA',
    reference: 'https://github.com/ocpi/ocpi/issues/459',
    expected: 'rejects the command in words, and starts nothing',
  },
  {
    name: 'no-patch',
    title: 'refuses each PATCH with 405',
    reference: 'https://github.com/citrineos/citrineos-ocpi/pull/120',
    expected: 'sends the whole object with PUT',
  },
  {
    name: 'offset-times',
    title: 'writes its times with +00:00',
    reference: 'https://github.com/ocpi/ocpi/issues/464',
    expected: 'refuses the object in words, or reads the time as UTC',
  },
  {
    name: 'plain-token',
    title: 'sends its token as it is, without base64',
    reference: 'https://github.com/ocpi/ocpi/issues/212',
    expected: 'takes the token as it is, too',
  },
  {
    name: 'redirects',
    title: 'moved, and answers with a redirect to its new address',
    reference: 'https://github.com/ThreeMammals/Ocelot/issues/2245',
    expected: 'does not send its token there, shows the failure, and tries again',
  },
  {
    name: 'refuses-pushes',
    title: 'answers each push with HTTP 200 and the status code 2000',
    reference: 'https://github.com/ocpi/ocpi/issues/280',
    expected: 'does not take this for a delivery',
  },
  {
    name: 'slow',
    title: 'answers after six seconds',
    reference: 'https://github.com/ocpi/ocpi/issues/186',
    expected: 'answers the station in time, by the whitelist of the token',
  },
  {
    name: 'trailing-slashes',
    title: 'ends its addresses with a slash',
    reference: 'https://github.com/extrawest/extrawest_ocpi/pull/26',
    expected: 'puts no second slash behind it',
  },
] as const satisfies readonly Pick<Quirk, 'name' | 'title' | 'reference' | 'expected'>[]

export type PartnerQuirks = ReadonlySet<(typeof PARTNER_QUIRKS)[number]['name']>
