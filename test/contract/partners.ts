/** Roaming partners; what happens between them and us stands in test/roaming.test.ts. */
import type { Address } from './address.ts'
import { LIST } from './common.ts'

const PARTY = { countryCode: 'DE', partyId: 'PWR', businessDetails: { name: 'Pilotwire' } }
const PARTNER = '/2/ocpi/partners/{partner}'

export const PARTNERS: readonly Address[] = [
  {
    at: 'PUT /2/ocpi/party',
    isOwn: true,
    needs: 'credential',
    answers: 200,
    body: PARTY,
    wrong: [
      [{}, '/countryCode'],
      [{ ...PARTY, countryCode: 'DEU' }, '/countryCode'],
      [{ ...PARTY, partyId: 'P' }, '/partyId'],
    ],
    has: PARTY,
  },
  { at: 'GET /2/ocpi/party', isOwn: true, needs: 'credential', answers: 200, has: PARTY },
  {
    at: 'POST /2/ocpi/partners',
    isOwn: true,
    needs: 'credential',
    answers: 201,
    body: { name: 'Elsewhere' },
    wrong: [
      [{}, '/name'],
      [{ name: 'X', url: 'https://x.example/versions' }, '/token'],
      [{ name: 'X', roles: [{ role: 'EMSP', countryCode: 'NL' }] }, '/roles/0/partyId'],
    ],
    has: { name: 'Elsewhere', state: 'invited' },
    reported: { location: /^\/2\/ocpi\/partners\/[0-9a-f]{16}$/ },
    keeps: 'partner',
  },
  { at: 'GET /2/ocpi/partners', isOwn: true, needs: 'credential', answers: 200, wrongQuery: LIST },
  { at: `GET ${PARTNER}`, needs: 'credential', answers: 200, has: { name: 'Elsewhere' } },
  {
    at: `PATCH ${PARTNER}`,
    needs: 'credential',
    answers: 200,
    body: { name: 'There' },
    wrong: [[{ state: 'removed' }, '/state']],
    has: { name: 'There' },
  },
  { at: `POST ${PARTNER}/rotate`, needs: 'credential', answers: 200, has: { state: 'invited' } },
  { at: `GET ${PARTNER}/exchanges`, needs: 'credential', answers: 200, wrongQuery: LIST, has: { data: [] } },
  { at: `POST ${PARTNER}/exchanges/{exchange}/replay`, needs: 'credential', answers: 404 },
  { at: `DELETE ${PARTNER}`, needs: 'credential', answers: 204 },
]
