/** Charge points, the commands that they are sent, and the log of their messages. */
import type { Address } from './address.ts'
import { ANY, CONTROL, CP, FROM, LIST, ORDERING, READ, TIME, WINDOW } from './common.ts'

/** No longer than is computed at once; its end lies ahead. */
const WINDOW_OF_UPTIME = `?from=${new Date(Date.now() - 86_400_000).toISOString()}`

export const CHARGE_POINTS: readonly Address[] = [
  // Charge points
  {
    at: 'POST /2/evse-controllers',
    needs: 'credential',
    answers: 201,
    body: { id: 'CP2', name: 'Bay 2', labels: { site: 'north' } },
    wrong: [
      [{}, '/id'],
      [{ id: 'CP3', password: 'short' }, '/password'],
      [{ id: 'CP3', securityProfile: 4 }, '/securityProfile'],
      [{ id: 'CP3', protocols: ['ocpp1.5'] }, '/protocols/0'],
      [{ id: 'CP3', labels: { 'Not A Key': 'x' } }, '/labels/Not A Key'],
    ],
    has: { id: 'CP2', name: 'Bay 2', online: false, connectors: [], labels: { site: 'north' } },
    reported: { location: /^\/2\/evse-controllers\/CP2$/ },
  },
  {
    at: 'GET /2/evse-controllers',
    needs: READ,
    answers: 200,
    query: '?label=site:north&online=false&q=bay&sort=name&order=desc&limit=5',
    wrongQuery: { ...LIST, online: '?online', sort: '?sort', order: '?order', cursor: '?cursor', label: '?label' },
  },
  { at: `GET ${CP}`, needs: READ, answers: 200, has: { id: 'CP1', online: true, protocol: 'ocpp2.0.1' } },
  {
    at: `PATCH ${CP}`,
    needs: 'credential',
    answers: 200,
    body: { labels: { site: 'south' }, acceptExpired: true, subjectCheck: 'exact' },
    wrong: [
      [{ labels: { SITE: 'x' } }, '/labels/SITE'],
      [{ labels: { site: 'x'.repeat(256) } }, '/labels/site'],
      [{ subjectCheck: 'sometimes' }, '/subjectCheck'],
      [{ securityProfile: 7 }, '/securityProfile'],
    ],
    has: { labels: { site: 'south' } },
  },
  // Their passwords: CP1 has none, CP2 has never been here.
  {
    at: 'POST /2/password-rotations',
    isOwn: true,
    needs: 'credential',
    answers: 202,
    body: { selector: { ids: ['CP1', 'CP2'] } },
    wrong: [
      [{}, '/selector'],
      [{ selector: { ids: [] } }, '/selector/ids'],
    ],
    has: { id: ANY, state: 'running', counts: { skipped: 1, pending: 1 } },
    reported: { location: /^\/2\/password-rotations\/rot_[0-9a-f]+$/ },
    keeps: 'rotationId',
  },
  {
    at: 'GET /2/password-rotations',
    isOwn: true,
    needs: 'credential',
    answers: 200,
    wrongQuery: LIST,
    has: { data: [{ state: 'running' }] },
  },
  {
    at: 'GET /2/password-rotations/{rotationId}',
    needs: 'credential',
    answers: 200,
    query: '?state=pending&limit=5',
    wrongQuery: { ...LIST, state: '?state' },
    has: { data: [{ evseControllerId: 'CP2', state: 'pending', reason: 'offline', attempts: 0, updatedAt: TIME }] },
  },
  {
    at: 'POST /2/password-rotations/{rotationId}/cancel',
    needs: 'credential',
    answers: 200,
    has: { state: 'cancelled', counts: { skipped: 1, cancelled: 1 } },
  },
  // Many at once: CP1 is there, CP2 has never been here.
  {
    at: 'POST /2/bulk-orders',
    isOwn: true,
    needs: ORDERING,
    answers: 202,
    // The file never comes: it is not over.
    body: { ids: ['CP1', 'CP2'], order: { kind: 'log', type: 'diagnostics' } },
    wrong: [
      [{ order: { kind: 'reset', type: 'soft' } }, '/selector'],
      [{ ids: [], order: { kind: 'reset', type: 'soft' } }, '/ids'],
      [{ selector: {}, order: { kind: 'reset', type: 'gently' } }, '/order/type'],
      [{ selector: {}, order: { kind: 'reset', type: 'soft' }, ttl: 0 }, '/ttl'],
      [{ selector: {}, order: { kind: 'log', type: 'security', from: FROM, to: FROM } }, '/order/to'],
    ],
    has: { id: ANY, state: 'running', counts: { refused: 1 }, total: 2, expiresAt: TIME },
    reported: { location: /^\/2\/bulk-orders\/[0-9a-f-]+$/ },
    keeps: 'bulkOrderId',
  },
  {
    at: 'GET /2/bulk-orders',
    isOwn: true,
    needs: ORDERING,
    answers: 200,
    wrongQuery: LIST,
    has: { data: [{ order: { kind: 'log', type: 'diagnostics' } }] },
  },
  {
    at: 'GET /2/bulk-orders/{bulkOrderId}',
    isMakers: true,
    needs: ORDERING,
    answers: 200,
    query: '?state=refused&limit=5',
    wrongQuery: { ...LIST, state: '?state' },
    has: { data: [{ evseControllerId: 'CP2', state: 'refused', reason: ANY, updatedAt: TIME }] },
  },
  {
    at: 'POST /2/bulk-orders/{bulkOrderId}/cancel',
    isMakers: true,
    needs: ORDERING,
    answers: 200,
    has: { state: 'cancelled', counts: { refused: 1 } },
  },
  {
    at: 'GET /2/uptime',
    isOwn: true,
    needs: READ,
    answers: 200,
    query: WINDOW_OF_UPTIME,
    wrongQuery: { ...LIST, from: '?from', group: '?group', format: '?format' },
    has: { data: [{ evseControllerId: 'CP1', downtimeSeconds: ANY, visits: ANY }] },
  },
  // Commands and their log
  {
    at: `POST ${CP}/commands`,
    needs: CONTROL,
    answers: 200,
    body: { method: 'UnlockConnector', request: { evseId: 1, connectorId: 1 }, wait: 10 },
    wrong: [
      [{ request: {} }, '/method'],
      [{ method: 'UnlockConnector', request: {}, wait: -1 }, '/wait'],
      [{ method: 'UnlockConnector', request: [] }, '/request'],
    ],
    has: { evseControllerId: 'CP1', method: 'UnlockConnector', direction: 'out', status: 'success' },
    keeps: 'commandId',
  },
  { at: `GET ${CP}/commands/methods`, needs: READ, answers: 200, query: WINDOW, wrongQuery: { from: '?from' } },
  { at: `GET ${CP}/commands/{commandId}`, needs: READ, answers: 200, has: { method: 'UnlockConnector' } },
  {
    at: `POST ${CP}/commands/search`,
    needs: READ,
    answers: 200,
    body: { from: FROM, method: ['TransactionEvent'], limit: 1, count: true },
    wrong: [
      [{}, '/from'],
      [{ from: 'yesterday' }, '/from'],
      [{ from: FROM, limit: 0 }, '/limit'],
      [{ from: FROM, connectorId: { $like: 1 } }, '/connectorId/$like'],
    ],
    has: { data: [{ method: 'TransactionEvent', direction: 'in', status: 'success' }] },
    reported: { 'ratelimit-policy': /./, ratelimit: /./ },
  },
  {
    at: 'POST /1/evse-controllers/{evseController}/commands/search',
    needs: 'credential',
    answers: Date.now() < Date.UTC(2027, 2, 31) ? 200 : 410,
    body: { from: FROM },
    wrong: [[{ from: 'yesterday' }, '/from']],
    reported: {
      deprecation: /^@1785456000$/,
      sunset: /^Wed, 31 Mar 2027 00:00:00 GMT$/,
      link: /\/2\/evse-controllers\//,
      ratelimit: /./,
    },
  },
  {
    at: `GET ${CP}/timeline`,
    needs: READ,
    answers: 200,
    query: WINDOW,
    wrongQuery: { ...LIST, from: '?from', to: '?to' },
  },
]
