/** Sessions and what is told of them. */
import type { Address } from './address.ts'
import { ANY, CONTROL, FROM, LIST, READ, TIME, WINDOW } from './common.ts'

const HOOKS = ['webhooks:manage', 'sessions:read'] as const

export const SESSIONS: readonly Address[] = [
  // Sessions
  {
    at: 'GET /2/sessions',
    needs: 'sessions:read',
    answers: 200,
    query: `${WINDOW}&evseControllerId=CP1&state=completed&include=details&totals=true`,
    wrongQuery: { ...LIST, state: '?state', from: '?from', to: '?to', include: '?include', totals: '?totals' },
    has: { data: [{ evseControllerId: 'CP1', state: 'completed', energyKwh: 0, details: { endReason: ANY } }] },
  },
  { at: 'GET /sessions/{sessionId}', needs: 'sessions:read', answers: 200, told: { etag: /^W\// } },
  {
    at: 'GET /2/sessions/{sessionId}',
    needs: 'sessions:read',
    answers: 200,
    query: '?include=details',
    wrongQuery: { include: '?include' },
    has: { details: { evseId: 1, connectorId: 1, transactionId: 'T-1', createdAt: TIME } },
  },
  {
    at: 'GET /sessions/{sessionId}/signed-data',
    needs: 'sessions:read',
    answers: 200,
    has: { data: [], hasBegin: false, hasEnd: false, energyDiffers: false },
  },
  {
    at: 'GET /2/sessions/{sessionId}/signed-data',
    needs: 'sessions:read',
    answers: 200,
    headers: { accept: 'application/xml' },
    type: 'application/xml',
  },
  { at: 'GET /2/sessions/{sessionId}/timeline', needs: ['sessions:read', READ], answers: 200 },
  {
    at: 'POST /2/sessions/{sessionId}/settlements',
    needs: 'credential',
    answers: 201,
    headers: { 'idempotency-key': 'once' },
    body: { cost: 1.5, currency: 'EUR' },
    wrong: [
      [{ cost: -1, currency: 'EUR' }, '/cost'],
      [{ cost: 1, currency: 'Euro' }, '/currency'],
    ],
    has: { settlementCount: 1, cost: 1.5, currency: 'EUR' },
  },
  {
    at: 'POST /2/sessions',
    needs: CONTROL,
    answers: 202,
    body: { evseControllerId: 'CP1', evseId: 1, idToken: 'CARD', externalReference: 'order-7' },
    wrong: [
      [{}, '/evseControllerId'],
      [{ evseControllerId: 'CP1', evseId: -1 }, '/evseId'],
    ],
    has: { evseControllerId: 'CP1', state: 'pending', externalReference: 'order-7', energyKwh: 0 },
    keeps: 'sessionId',
  },
  { at: 'POST /2/sessions/{sessionId}/stop', needs: CONTROL, answers: 202, has: { evseControllerId: 'CP1' } },
  // Webhooks and events
  {
    at: 'POST /2/webhooks',
    isOwn: true,
    needs: HOOKS,
    answers: 201,
    body: ({ receiver }) => ({ url: receiver, updates: 'transitions' }),
    wrong: [
      [{}, '/url'],
      [{ url: 'https://x.example', events: ['session.exploded'] }, '/events/0'],
      [{ url: 'https://x.example', updates: 'some' }, '/updates'],
    ],
    has: { events: ['session.updated'], updates: 'transitions', secret: ANY },
    keeps: 'webhookId',
  },
  { at: 'GET /2/webhooks', needs: HOOKS, answers: 200, wrongQuery: LIST, isOwn: true },
  { at: 'GET /2/webhooks/{webhookId}', needs: HOOKS, answers: 200, isMakers: true },
  { at: 'PATCH /2/webhooks/{webhookId}', needs: HOOKS, answers: 200, body: { description: 'ours' } },
  { at: 'POST /2/webhooks/{webhookId}/test', needs: HOOKS, answers: 202 },
  {
    at: 'GET /2/webhooks/{webhookId}/deliveries',
    isMakers: true,
    first: (place) => place.awaitDelivery(),
    needs: HOOKS,
    answers: 200,
    wrongQuery: { ...LIST, state: '?state' },
    has: { data: [{ state: 'succeeded' }] },
  },
  { at: 'GET /2/webhooks/{webhookId}/deliveries/{deliveryId}', needs: HOOKS, answers: 200, isMakers: true },
  { at: 'POST /2/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', needs: HOOKS, answers: 202 },
  {
    at: 'POST /2/webhooks/{webhookId}/replay',
    needs: HOOKS,
    answers: 202,
    body: { from: FROM, to: '2036-01-01T00:00:00Z' },
    wrong: [[{ from: FROM }, '/to']],
  },
  {
    at: 'POST /2/webhooks/{webhookId}/rotate-secret',
    needs: HOOKS,
    answers: 200,
    body: { overlapSeconds: 60 },
    wrong: [[{ overlapSeconds: -1 }, '/overlapSeconds']],
    has: { secret: ANY },
  },
  {
    at: 'POST /2/webhooks/{webhookId}/enable',
    needs: HOOKS,
    answers: 200,
    body: { resume: 'held' },
    wrong: [[{ resume: 'some' }, '/resume']],
  },
  { at: 'DELETE /2/webhooks/{webhookId}', needs: HOOKS, answers: 204 },
  {
    at: 'GET /2/events',
    isOwn: true,
    needs: 'sessions:read',
    answers: 200,
    query: '?type=session.updated&limit=5',
    wrongQuery: { ...LIST, type: '?type', wait: '?wait' },
    has: { data: [{ specversion: '1.0', type: 'session.updated' }] },
  },
]
