/** Limits of charge points, their charging profiles, and what is known of models. */
import type { Address } from './address.ts'
import { ANY, CONFIGURE, CONTROL, CP, TIME } from './common.ts'

const PROFILE = {
  ...{ id: 7, stackLevel: 1, chargingProfilePurpose: 'TxDefaultProfile', chargingProfileKind: 'Relative' },
  chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 12 }] }],
}

export const CHARGING: readonly Address[] = [
  {
    at: `PUT ${CP}/limits/{name}`,
    first: async ({ ids }) => ids.set('name', 'night'),
    needs: CONTROL,
    answers: 201,
    body: { evseId: 1, amps: 16, phases: 3, until: '2099-01-01T00:00:00Z', fallback: { amps: 8 } },
    wrong: [
      [{ amps: -1 }, '/amps'],
      [{ amps: 6, phases: 4 }, '/phases'],
      [{ amps: 6, until: 'tomorrow' }, '/until'],
      [{ amps: 6, schedule: [{ amps: 6 }] }, '/schedule/0/startAt'],
      [{ amperes: 6 }, '/amperes'],
    ],
    has: { name: 'night', evseId: 1, amps: 16, effectiveAmps: 16, revision: 1, proof: { verdict: 'pending' } },
    told: { location: /^\/2\/evse-controllers\/CP1\/limits\/night$/ },
  },
  { at: `GET ${CP}/limits/{name}`, needs: CONTROL, answers: 200, has: { fallback: { amps: 8 }, createdAt: TIME } },
  { at: `GET ${CP}/limits`, needs: CONTROL, answers: 200, has: { data: [{ name: 'night' }] } },
  { at: `DELETE ${CP}/limits/{name}`, needs: CONTROL, answers: 204 },
  {
    at: `PUT ${CP}/display-messages/{name}`,
    first: async ({ ids }) => ids.set('name', 'welcome'),
    needs: CONTROL,
    answers: 201,
    body: { content: 'Hello', language: 'en', priority: 'InFront', endAt: '2099-01-01T00:00:00Z' },
    wrong: [
      [{}, '/content'],
      [{ content: 'x', priority: 'Loud' }, '/priority'],
      [{ content: 'x', endAt: 'soon' }, '/endAt'],
      [{ content: 'x', colour: 'red' }, '/colour'],
    ],
    has: { name: 'welcome', evseControllerId: 'CP1', content: 'Hello', format: 'UTF8', intent: { revision: 1 } },
    told: { location: /^\/2\/evse-controllers\/CP1\/display-messages\/welcome$/ },
  },
  { at: `GET ${CP}/display-messages/{name}`, needs: CONTROL, answers: 200, has: { endAt: TIME, language: 'en' } },
  { at: `GET ${CP}/display-messages`, needs: CONTROL, answers: 200, has: { data: [{ name: 'welcome' }], others: [] } },
  { at: `DELETE ${CP}/display-messages/{name}`, needs: CONTROL, answers: 204 },
  {
    at: `POST ${CP}/customer-information`,
    needs: CONTROL,
    answers: 202,
    body: { idToken: 'CARD', clear: true },
    wrong: [
      [{ idToken: '' }, '/idToken'],
      [{ idToken: 'CARD', customerIdentifier: 'x' }, ''],
      [{ idToken: 'CARD', report: false }, '/report'],
      [{ customerCertificate: { hashAlgorithm: 'MD5' } }, '/customerCertificate/hashAlgorithm'],
    ],
    has: { evseControllerId: 'CP1', state: ANY, report: true, clear: true, createdAt: TIME },
    keeps: 'id',
  },
  {
    at: `GET ${CP}/customer-information/{id}`,
    needs: CONTROL,
    answers: 200,
    isMakers: true,
    has: { report: true, clear: true },
  },
  {
    at: `POST ${CP}/charging-profiles`,
    needs: CONTROL,
    answers: 202,
    body: { evseId: 1, chargingProfile: PROFILE },
    wrong: [
      [{ chargingProfile: PROFILE }, '/evseId'],
      [{ evseId: 1 }, '/chargingProfile'],
    ],
    has: { id: 7, source: 'desired', owner: 'raw', evseId: 1, chargingProfile: ANY },
  },
  {
    at: `GET ${CP}/charging-profiles`,
    needs: CONTROL,
    answers: 200,
    query: '?source=desired',
    wrongQuery: { source: '?source' },
    has: { data: [{ id: 7, purpose: 'TxDefaultProfile', updatedAt: TIME }] },
  },
  {
    at: `POST ${CP}/charging-profiles/clear`,
    needs: CONTROL,
    answers: 202,
    body: { ids: [7] },
    wrong: [
      [{ ids: [] }, '/ids'],
      [{ foreign: false }, '/foreign'],
    ],
    has: { state: 'accepted' },
  },
  {
    at: `GET ${CP}/composite-schedule`,
    needs: CONTROL,
    answers: 200,
    query: '?evseId=1&duration=600&unit=A',
    wrongQuery: { evseId: '?evseId', duration: '?duration', unit: '?unit' },
    has: { evseId: 1, duration: 600, ours: { unit: 'A', startAt: TIME, periods: [{ startPeriod: 0 }] } },
  },
  {
    at: 'PUT /2/station-models/{vendor}/{model}',
    first: async ({ ids }) => void ids.set('vendor', 'Acme').set('model', 'One'),
    isOwn: true,
    needs: CONFIGURE,
    answers: 201,
    body: { limitKey: 'MaxCurrent', abilities: { smartCharging: false } },
    wrong: [
      [{ limitKey: '' }, '/limitKey'],
      [{ abilities: { smartCharging: 'no' } }, '/abilities/smartCharging'],
    ],
    has: { vendor: 'Acme', model: 'One', limitKey: 'MaxCurrent', abilities: { smartCharging: false } },
    told: { location: /^\/2\/station-models\/Acme\/One$/ },
  },
  { at: 'GET /2/station-models/{vendor}/{model}', needs: CONFIGURE, answers: 200, has: { limitKey: 'MaxCurrent' } },
  { at: 'DELETE /2/station-models/{vendor}/{model}', needs: CONFIGURE, answers: 204 },
]
