/** The pages of the console, and for each what one would ask the database by hand to fill it. */
export interface View {
  readonly name: string
  /** Below the dashboard. */
  readonly path: string
  /** Statements without parameters; they are run one after the other. */
  readonly byHand: readonly string[]
}

export interface Places {
  readonly accountId: string
  readonly chargePointId: string
  /** Millisecond of the newest session. */
  readonly toMs: number
  readonly sessionId: string
}

const DAY_MS = 86_400_000

export function viewsOf({ accountId, chargePointId, toMs, sessionId }: Places): readonly View[] {
  const own = `account_id = '${accountId}'`
  const from = new Date(toMs - 30 * DAY_MS).toISOString().slice(0, 16)
  const sessionsOf = (where: string) =>
    `SELECT * FROM sessions WHERE ${own} AND ${where} ORDER BY created_at DESC, id DESC LIMIT 50`
  const totals = (where: string) =>
    `SELECT count(*), sum(energy_milli_wh), sum(cost_micros), sum(stopped_at - started_at) FROM sessions WHERE ${own} AND ${where}`
  const stations = (where: string) => `SELECT * FROM charge_points JOIN charge_point_statuses ON charge_point_id = id
    WHERE ${own} AND ${where} ORDER BY id LIMIT 50`
  const log = `FROM commands_search WHERE charge_point =
    (SELECT key FROM log_charge_points WHERE name = '${chargePointId}')`
  const lastMonth = `created_at >= ${toMs - 30 * DAY_MS}`
  return [
    {
      name: 'overview',
      path: '',
      byHand: [
        `SELECT status, count(*) FROM connectors JOIN charge_points ON charge_point_id = id WHERE ${own} GROUP BY status`,
        `SELECT count(*), sum(power_milli_w) FROM sessions WHERE ${own} AND state = 'charging'`,
        `SELECT slot, milli_wh FROM energy_slots WHERE ${own} AND slot >= ${Math.floor((toMs - DAY_MS) / 900_000)}`,
      ],
    },
    {
      name: 'overview, faults by site',
      path: '?by=site',
      byHand: [
        `SELECT labels ->> '$.site', count(DISTINCT id) FROM charge_points JOIN connectors ON charge_point_id = id
          WHERE ${own} AND status = 'Faulted' GROUP BY 1`,
      ],
    },
    { name: 'charge points', path: '/charge-points', byHand: [stations('1')] },
    {
      name: 'charge points, faulted',
      path: '/charge-points?status=Faulted',
      byHand: [stations(`EXISTS (SELECT 1 FROM connectors c WHERE c.charge_point_id = id AND status = 'Faulted')`)],
    },
    {
      name: 'charge points, searched for',
      path: '/charge-points?q=SN4711',
      byHand: [
        stations(`(id LIKE '%SN4711%' OR name LIKE '%SN4711%' OR document ->> '$.serialNumber' LIKE '%SN4711%')`),
      ],
    },
    {
      name: 'charge points of a site, sorted',
      path: '/charge-points?site=site-7&sort=lastSeenAt',
      byHand: [stations(`labels ->> '$.site' = 'site-7'`)],
    },
    {
      name: 'one charge point with its log',
      path: `/charge-points/${chargePointId}`,
      byHand: [
        `SELECT * FROM charge_points WHERE id = '${chargePointId}'`,
        `SELECT * FROM commands WHERE id IN (SELECT id ${log} ORDER BY id DESC LIMIT 50)`,
        `SELECT count(*) ${log}`,
      ],
    },
    { name: 'sessions', path: '/charging-sessions', byHand: [sessionsOf('1'), totals('1')] },
    {
      name: 'sessions that run',
      path: '/charging-sessions?state=running',
      byHand: [sessionsOf(`state NOT IN ('completed', 'failed')`), totals(`state NOT IN ('completed', 'failed')`)],
    },
    {
      name: 'sessions of a month',
      path: `/charging-sessions?from=${from}`,
      byHand: [sessionsOf(lastMonth), totals(lastMonth)],
    },
    {
      name: 'sessions of a site',
      path: '/charging-sessions?label=site:site-7',
      byHand: [
        sessionsOf(`charge_point_id IN (SELECT id FROM charge_points WHERE labels ->> '$.site' = 'site-7')`),
        totals(`charge_point_id IN (SELECT id FROM charge_points WHERE labels ->> '$.site' = 'site-7')`),
      ],
    },
    {
      name: 'sessions of a card',
      path: '/charging-sessions?idToken=CARD77',
      byHand: [sessionsOf(`id_token = 'CARD77'`), totals(`id_token = 'CARD77'`)],
    },
    {
      name: 'one session',
      path: `/charging-sessions/${sessionId}`,
      byHand: [`SELECT * FROM sessions WHERE id = '${sessionId}'`],
    },
    {
      name: 'firmware of one charge point',
      path: `/charge-points/${chargePointId}/firmware`,
      byHand: [`SELECT * FROM firmware_updates WHERE charge_point_id = '${chargePointId}' LIMIT 50`],
    },
    {
      name: 'sites',
      path: '/sites',
      byHand: [`SELECT labels ->> '$.site', count(*) FROM charge_points WHERE ${own} GROUP BY 1`],
    },
    {
      name: 'a reset of all that are faulted, asked',
      path: `/new-bulk-order?${new URLSearchParams({ kind: 'reset', all: 'status=Faulted' })}`,
      byHand: [`SELECT DISTINCT charge_point_id FROM connectors WHERE status = 'Faulted'`],
    },
    {
      name: 'one site',
      path: '/sites/site-7',
      byHand: [`SELECT * FROM charge_points WHERE ${own} AND labels ->> '$.site' = 'site-7'`],
    },
    { name: 'log', path: '/log', byHand: [`SELECT * FROM commands ORDER BY id DESC LIMIT 50`] },
    { name: 'limits', path: '/limits', byHand: [`SELECT * FROM limit_groups WHERE ${own} LIMIT 50`] },
    { name: 'alerts', path: '/alerts', byHand: [`SELECT * FROM alerts WHERE ${own} AND state = 'raised' LIMIT 50`] },
    { name: 'cards', path: '/id-tokens', byHand: [`SELECT * FROM id_tokens WHERE ${own} ORDER BY id LIMIT 50`] },
    { name: 'tariffs', path: '/tariffs', byHand: [`SELECT * FROM tariffs WHERE ${own}`] },
    { name: 'users', path: '/users', byHand: [`SELECT * FROM users WHERE ${own}`] },
    { name: 'webhooks', path: '/webhooks', byHand: [`SELECT * FROM webhook_subscriptions WHERE ${own}`] },
    { name: 'audit', path: '/audit', byHand: [`SELECT * FROM audit_events WHERE ${own} ORDER BY id DESC LIMIT 50`] },
  ]
}
