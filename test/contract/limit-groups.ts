/** Connections that many EVSEs share. */
import type { Address } from './address.ts'
import { ANY, CONTROL, LIST, TIME } from './common.ts'

const GROUP = '/2/limit-groups/{name}'
const LATER = '2099-01-01T00:00:00Z'

export const LIMIT_GROUPS: readonly Address[] = [
  {
    at: `PUT ${GROUP}`,
    first: async ({ ids }) => ids.set('name', 'garage'),
    isOwn: true,
    needs: CONTROL,
    answers: 201,
    body: { selector: { ids: ['CP1'] }, amps: 100, strategy: 'priority' },
    wrong: [
      [{ amps: -1 }, '/amps'],
      [{ amps: 6, phases: 2 }, '/phases'],
      [{ amps: 6, strategy: 'luck' }, '/strategy'],
      [{ amps: 6, selector: { id: 'CP1' } }, '/selector/id'],
      [{ amperes: 6 }, '/amperes'],
    ],
    has: { name: 'garage', amps: 100, phases: 3, minAmps: 6, safeAmps: 50, revision: 1, createdAt: TIME },
    reported: { location: /^\/2\/limit-groups\/garage$/ },
  },
  { at: `GET ${GROUP}`, needs: CONTROL, answers: 200, has: { name: 'garage', strategy: 'priority' } },
  {
    at: 'GET /2/limit-groups',
    needs: CONTROL,
    answers: 200,
    wrongQuery: LIST,
    has: { data: [{ name: 'garage', updatedAt: TIME }] },
  },
  {
    at: `PUT ${GROUP}/load`,
    needs: CONTROL,
    answers: 200,
    body: { amps: [10, 12, 8], until: LATER },
    wrong: [
      [{ amps: 10, until: LATER }, '/amps'],
      [{ watts: 10 }, '/until'],
      [{ watts: 10, until: LATER, excludesCharging: 1 }, '/excludesCharging'],
    ],
    has: { amps: [10, 12, 8], excludesCharging: false, at: TIME },
  },
  {
    at: `PUT ${GROUP}/external-limit`,
    needs: CONTROL,
    answers: 200,
    body: { watts: 27_600, until: LATER, source: 'grid operator', heartbeatSeconds: 600, failSafe: { amps: 20 } },
    wrong: [
      [{ watts: 10, until: LATER }, '/source'],
      [{ watts: 10, until: LATER, source: 'x', failSafe: {} }, '/failSafe'],
      [{ watts: 10, until: LATER, source: 'x', heartbeatSeconds: 1 }, '/heartbeatSeconds'],
    ],
    has: { watts: 27_600, source: 'grid operator', failSafe: { amps: 20 }, at: TIME },
  },
  {
    at: `GET ${GROUP}/status`,
    needs: CONTROL,
    answers: 200,
    has: {
      name: 'garage',
      state: ANY,
      limitAmps: [40, 40, 40],
      loadAmps: [10, 12, 8],
      externalLimit: { amps: 40, source: 'grid operator', state: 'active' },
      data: [{ evseControllerId: 'CP1', group: 'garage', state: ANY, reason: ANY }],
    },
  },
  {
    at: `GET ${GROUP}/history`,
    needs: CONTROL,
    answers: 200,
    wrongQuery: { from: '?from', to: '?to', format: '?format', surprise: '?surprise' },
    has: { data: ANY },
  },
  { at: `DELETE ${GROUP}/external-limit`, needs: CONTROL, answers: 204 },
  { at: `DELETE ${GROUP}`, needs: CONTROL, answers: 204 },
]
