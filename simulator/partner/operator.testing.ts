/** For tests: a small charge point operator, made of a partner that has other addresses and answers. */
import { isoTime } from '../../src/domain/iso-time.ts'
import { isObject } from '../../src/ocpp/translate/payload.ts'
import { createPartner, type Partner, type PartnerOptions } from './partner.ts'
import type { Json, Received, Reply } from './wire.ts'

export interface Operator extends Partner {
  /** Tokens as they were pushed. */
  readonly pushed: Map<string, Json>
}

const SENDER = ['locations', 'tariffs', 'sessions', 'cdrs', 'credentials']
const RECEIVER = ['tokens', 'commands']
const OWNER = { country_code: 'DE', party_id: 'OPR' }
const AT = isoTime(Date.UTC(2026, 10, 29, 12))
const PRICE = {
  '2.2.1': { excl_vat: 3, incl_vat: 3.57 },
  '2.3.0': { before_taxes: 3, taxes: [{ name: 'VAT', amount: 0.57 }] },
}

export async function startOperator(options: PartnerOptions & { readonly pageSize?: number } = {}): Promise<Operator> {
  const pushed = new Map<string, Json>()
  const pageSize = options.pageSize ?? 2
  const operator: Partner = await createPartner({
    party: OWNER,
    credentials: { roles: [{ role: 'CPO', business_details: { name: 'Operator' }, ...OWNER }] },
    ...options,
    respond: async (request) => (await options.respond?.(request)) ?? respond(request),
  })
  const base = operator.versionsUrl.replace(/\/versions\/?$/, '')

  function respond({ version, module, method, path, url, body }: Received): Reply | undefined {
    if (version === 'versions') return undefined
    if (module === '') return { status: 200, data: { version, endpoints: endpoints(version) } }
    if (SENDER.includes(module) && module !== 'credentials')
      return page(`${base}/${version}/${module}`, listOf(module), url.searchParams)
    if (module === 'tokens') {
      if (method !== 'GET' && isObject(body)) pushed.set(path.join('/'), { ...pushed.get(path.join('/')), ...body })
      return { status: 200, data: pushed.get(path.join('/')) }
    }
    if (module !== 'commands' || !isObject(body)) return undefined
    const evse = body.evse_uid ?? 'E1'
    if (evse !== 'E1') return { status: 200, data: { result: 'REJECTED', timeout: 0 } }
    setImmediate(() => void carryOut(path[0] ?? '', body))
    return { status: 200, data: { result: 'ACCEPTED', timeout: 30 } }
  }

  async function carryOut(command: string, body: Json): Promise<void> {
    await operator.client.call('POST', String(body.response_url), { result: 'ACCEPTED' })
    const isStop = command === 'STOP_SESSION'
    const session = `${operator.endpoint('sessions', 'RECEIVER')}/DE/OPR/S1`
    const kwh = isStop ? 7.5 : 0
    const price = PRICE[operator.version() ?? '2.2.1']
    const whole = {
      ...OWNER,
      id: 'S1',
      kwh,
      currency: 'EUR',
      status: isStop ? 'COMPLETED' : 'ACTIVE',
      total_cost: price,
    }
    const patched = await operator.client.call(isStop ? 'PATCH' : 'PUT', session, whole)
    if (patched.status === 405) await operator.client.call('PUT', session, whole)
    if (isStop) await operator.client.call('POST', operator.endpoint('cdrs', 'RECEIVER'), cdrOf(price))
  }

  const endpoints = (version: string): readonly Json[] =>
    [SENDER, RECEIVER].flatMap((modules, role) =>
      modules.map((identifier) => ({
        identifier,
        role: role === 0 ? 'SENDER' : 'RECEIVER',
        url: `${base}/${version}/${identifier}`,
      })),
    )
  const page = (address: string, all: readonly Json[], query: URLSearchParams): Reply => {
    const offset = Number(query.get('offset') ?? 0)
    const limit = Math.min(pageSize, Number(query.get('limit') ?? pageSize))
    const end = offset + limit
    const link = { link: `<${address}?offset=${end}&limit=${limit}>; rel="next"` }
    const headers = { 'x-total-count': String(all.length), 'x-limit': String(pageSize), ...(end < all.length && link) }
    return { status: 200, data: all.slice(offset, end), headers }
  }
  return { ...operator, pushed }
}

function listOf(module: string): readonly Json[] {
  if (module === 'locations')
    return ['L1', 'L2', 'L3'].map((id, at) => locationOf(id, at === 2 ? 'AVAILABLE' : 'CHARGING'))
  return module === 'tariffs' ? [{ ...OWNER, id: 'T1', currency: 'EUR', last_updated: AT }] : []
}

function locationOf(id: string, status: string): Json {
  const connectors = [{ id: '1', standard: 'IEC_62196_T2', last_updated: AT }]
  const evses = [{ uid: id === 'L3' ? 'E1' : `${id}-E`, evse_id: `DE*OPR*${id}`, status, connectors, last_updated: AT }]
  return { ...OWNER, id, address: 'Depot Street 1', city: 'Berlin', evses, last_updated: AT }
}

function cdrOf(price: Json): Json {
  return {
    ...OWNER,
    id: 'CDR1',
    session_id: 'S1',
    start_date_time: AT,
    end_date_time: isoTime(Date.parse(AT) + 1_800_000),
    cdr_token: { uid: 'SIM-APP-1', contract_id: 'NL-SIM-C00000001' },
    auth_method: 'COMMAND',
    cdr_location: {
      address: 'Depot Street 1',
      city: 'Berlin',
      evse_id: 'DE*OPR*L3',
      connector_id: '1',
      connector_standard: 'IEC_62196_T2',
    },
    charging_periods: [
      {
        start_date_time: AT,
        dimensions: [
          { type: 'ENERGY', volume: 7.5 },
          { type: 'TIME', volume: 0.5 },
        ],
      },
    ],
    total_energy: 7.5,
    total_time: 0.5,
    currency: 'EUR',
    total_cost: price,
    last_updated: AT,
  }
}
