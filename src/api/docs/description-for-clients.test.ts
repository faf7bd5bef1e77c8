/** What programs that read `/openapi.json` make of it: linters, generators of clients, validating proxies. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import { apiOfTest } from '../../../test/support/api/testing.ts'

interface Node {
  readonly [name: string]: unknown
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security?: readonly Node[]
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly headers?: Node }>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const VERBS = [
  ...['Acknowledge', 'Answer', 'Cancel', 'Change', 'Check', 'Create', 'Delete', 'Download', 'Enable', 'Export', 'Get'],
  ...['Import', 'Install', 'List', 'Move', 'Redeliver', 'Register', 'Replace', 'Request', 'Resume', 'Revoke', 'Rotate'],
  ...['Search', 'Send', 'Set', 'Settle', 'Start', 'Stop', 'Subscribe', 'Update', 'Upload'],
]
const FROM = '2026-08-01T00:00:00Z'
const api = await apiOfTest()
const document = await api.get<{
  readonly paths: Paths
  readonly webhooks: Paths
  readonly tags: readonly { readonly name: string }[]
  readonly components: Readonly<Record<string, Readonly<Record<string, Node>>>>
}>('/openapi.json')

const operations = (paths: Paths): readonly Operation[] => Object.values(paths).flatMap((path) => Object.values(path))

/** Of a named schema. */
const validator = (name: string) => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document as object, 'api')
  return ajv.compile({ $ref: `api#/components/schemas/${name}` })
}

/** Every object of the document. */
function* nodes(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Node
  for (const member of Object.values(value)) yield* nodes(member)
}

it('API-E3: each operation names its problems, who may call it, and the headers of its answers', () => {
  for (const { operationId, responses, security } of operations(document.paths)) {
    expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining(['400', 'default'])])
    if (security?.length !== 0) expect(responses).toHaveProperty('401')
    const inline = Object.values(responses).filter(({ $ref }) => $ref === undefined)
    for (const { headers } of inline)
      expect([operationId, headers]).toEqual([
        operationId,
        expect.objectContaining({ 'X-Request-Id': expect.anything() }),
      ])
  }
  expect(document.paths['/2/webhooks']?.post?.responses).toMatchObject({
    201: { headers: { Location: {}, 'Idempotent-Replayed': {} } },
    409: {},
    422: {},
  })
  expect(document.paths['/1/evse-controllers/{evseController}/commands/search']?.post?.responses).toMatchObject({
    200: { headers: { RateLimit: {}, Deprecation: {}, Sunset: {}, Link: {} } },
    410: {},
    429: {},
  })
  expect(document.paths['/2/tariffs']?.post?.responses).toMatchObject({ 404: {}, 409: {} })
  expect(document.paths['/2/sessions']?.post?.responses).toMatchObject({ 404: {} })
  expect(document.paths['/2/events']?.get?.responses).toMatchObject({ 410: {} })
})

it('API-E3: an event says how it is signed, and every tag is explained', () => {
  const [event] = operations(document.webhooks)
  expect(event?.security).toEqual([{ webhookSignature: [] }])
  expect(document.components.securitySchemes).toHaveProperty('webhookSignature')
  const used = new Set(operations(document.paths).flatMap(({ tags }) => tags))
  expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...used]))
})

it('API-E3: a summary is an order with its object, such as Create an alert rule', () => {
  const isOrder = new RegExp(`^(${VERBS.join('|')}) \\S`)
  const summaries = operations(document.paths).map(({ summary }) => summary)
  expect(summaries.filter((summary) => !isOrder.test(summary))).toEqual([])
})

it('API-E3: every list says of what, and every reference leads somewhere', () => {
  const all = [...nodes(document)]
  expect(all.filter(({ type, items }) => type === 'array' && items === undefined)).toEqual([])
  const references = all.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
  expect(references.length).toBeGreaterThan(100)
  for (const reference of new Set(references)) {
    const [kind = '', name = ''] = reference.replace('#/components/', '').split('/')
    expect([reference, document.components[kind]?.[name]]).toEqual([reference, expect.anything()])
  }
})

it('API-E3: a row always has its request, and nobody must send a limit', () => {
  const { Command, CommandV1, CommandSearch, CommandSearchV1 } = document.components.schemas ?? {}
  expect(Command?.required).toContain('request')
  expect(CommandV1?.required).toContain('request')
  // Generators take a member with a `default` for one that is always there.
  expect([...nodes([CommandSearch, CommandSearchV1])].filter((node) => 'default' in node)).toEqual([])
})

it('API-A2: the reference, read by people: /docs says what a filter takes, where it is used and where it is defined', async () => {
  const page = await (await fetch(`${api.url}/docs`)).text()
  const [, definition = ''] = /<article id="schema-ConnectorFilter">(.*?)<\/article>/s.exec(page) ?? []
  expect(definition).toContain('any of')
  expect(definition).toContain('<code>$eq $ne $in $nin $gt $gte $lt $lte $exists</code>')
  const [, search = ''] = /<article id="searchCommands">(.*?)<\/article>/s.exec(page) ?? []
  expect(search).toMatch(/connectorId<\/code>.*?Integers of 0 or more/s)
})

it('API-E3: changes, as they are described: what null takes away may be sent as null', async () => {
  const changes = { IdToken: { expiresAt: null, groupId: null }, EvseController: { name: null, validation: null } }
  await api.call('POST', '/2/id-tokens', { id: 'CARD' })
  expect((await api.call('PATCH', '/2/id-tokens/CARD', changes.IdToken)).status).toBe(200)
  expect((await api.call('PATCH', '/2/evse-controllers/CP1', changes.EvseController)).status).toBe(200)
  for (const [name, change] of Object.entries(changes)) {
    expect([name, validator(`Change${name}`)(change)]).toEqual([name, true])
  }
})

const many = Array.from({ length: 101 }, () => '1')
const scalars = [
  '1',
  1,
  0,
  -1,
  1.5,
  '01',
  '',
  'success',
  'Success',
  true,
  null,
  'x'.repeat(36),
  'x'.repeat(37),
  2 ** 31,
]
const objects = [
  {},
  { $where: 1 },
  { $eq: null },
  { $in: '1' },
  { $in: many },
  { $exists: 1 },
  { $exists: false },
  { $gt: '1' },
  { $gt: 1, $lte: 5, $ne: 3 },
  { $gte: -1 },
  { $nin: ['success'] },
  { $eq: { $eq: 1 } },
]
const values: readonly unknown[] = [...scalars, ...scalars.map((one) => [one]), [], ['1', 2], [[1]], many, ...objects]

it.each(['connectorId', 'transactionId', 'status', 'method', 'excludeMethods'])(
  'API-E3, SEARCH-Q2: %s takes exactly what the description says',
  async (attribute) => {
    const validate = validator('CommandSearch')
    for (const value of values) {
      const body = { from: FROM, limit: 1, [attribute]: value }
      const { status } = await api.call('POST', '/2/evse-controllers/CP1/commands/search', body)
      expect([attribute, value, status]).toEqual([attribute, value, validate(body) ? 200 : 400])
    }
  },
)

it('API-E3, SEARCH-V1: createdAt takes exactly what the description says', async () => {
  const validate = validator('CommandSearchV1')
  const times = [{ $gte: FROM }, { $gt: FROM, $lte: '2026-08-02T00:00:00+02:00' }, { $lt: '2026-08-01' }, { $eq: FROM }]
  for (const createdAt of [...times, {}, [], FROM, null, 5, { $gte: 1 }, { $gte: null }]) {
    const { status } = await api.call('POST', '/1/evse-controllers/CP1/commands/search', { createdAt, limit: 1 })
    expect([createdAt, status]).toEqual([createdAt, validate({ createdAt }) ? 200 : 400])
  }
})

it('API-E3: what the description gives as examples is accepted', async () => {
  const { properties } = document.components.schemas?.CommandSearch ?? {}
  const examples = Object.entries(properties as Record<string, Node>).flatMap(([name, { $ref }]) => {
    const { example } = document.components.schemas?.[String($ref).split('/').at(-1) ?? ''] ?? {}
    return example === undefined ? [] : { [name]: example }
  })
  expect(examples.length).toBeGreaterThanOrEqual(5)
  for (const example of examples) {
    const answer = await api.call('POST', '/2/evse-controllers/CP1/commands/search', { from: FROM, ...example })
    expect([example, answer.status]).toEqual([example, 200])
  }
})
