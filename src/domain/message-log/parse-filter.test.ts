import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { operatorNames, parseFilter } from './parse-filter.ts'

const parsed = (text: string) => parseFilter(JSON.parse(text))
const one = <T>(op: string, ...values: T[]) => [{ op, values }]

it.each([
  ['{}', {}],
  ['{"method":["StartTransaction","StopTransaction"]}', { methods: ['StartTransaction', 'StopTransaction'] }],
  ['{"method":"Heartbeat"}', { methods: ['Heartbeat'] }],
  ['{"method":[]}', { methods: [] }],
  ['{"method":["NoSuchMethod"]}', { methods: ['NoSuchMethod'] }],
  ['{"excludeMethods":["Heartbeat"]}', { excludeMethods: ['Heartbeat'] }],
  ['{"connectorId":1}', { connectorId: one('in', 1) }],
  ['{"connectorId":0}', { connectorId: one('in', 0) }],
  ['{"connectorId":"12"}', { connectorId: one('in', 12) }],
  ['{"connectorId":[1,"2"]}', { connectorId: one('in', 1, 2) }],
  ['{"connectorId":[]}', { connectorId: one('in') }],
  ['{"connectorId":null}', { connectorId: [{ op: 'exists', value: false }] }],
  ['{"connectorId":{"$exists":true}}', { connectorId: [{ op: 'exists', value: true }] }],
  ['{"connectorId":{"$eq":1}}', { connectorId: one('in', 1) }],
  ['{"connectorId":{"$ne":1}}', { connectorId: one('nin', 1) }],
  ['{"connectorId":{"$in":[1,2]}}', { connectorId: one('in', 1, 2) }],
  ['{"connectorId":{"$nin":[]}}', { connectorId: one('nin') }],
  [
    '{"connectorId":{"$gt":0,"$lte":4,"$ne":2}}',
    { connectorId: [{ op: 'gt', value: 0 }, { op: 'lte', value: 4 }, ...one('nin', 2)] },
  ],
  ['{"transactionId":17}', { transactionId: one('in', '17') }],
  ['{"transactionId":-1}', { transactionId: one('in', '-1') }],
  ['{"transactionId":"9007199254740993"}', { transactionId: one('in', '9007199254740993') }],
  ['{"transactionId":["a",1]}', { transactionId: one('in', 'a', '1') }],
  [
    '{"transactionId":{"$gte":-5,"$lt":9}}',
    {
      transactionId: [
        { op: 'gte', value: -5 },
        { op: 'lt', value: 9 },
      ],
    },
  ],
  ['{"status":"error"}', { status: one('in', 'error') }],
  ['{"status":["timeout","dropped"]}', { status: one('in', 'timeout', 'dropped') }],
  ['{"status":{"$nin":["success"]}}', { status: one('nin', 'success') }],
  ['{"status":null}', { status: [{ op: 'exists', value: false }] }],
  ['{"schemaErrors":{"$exists":true}}', { schemaErrors: true }],
  ['{"schemaErrors":{"$exists":false}}', { schemaErrors: false }],
  ['{"schemaErrors":null}', { schemaErrors: false }],
])('SEARCH-Q2: %s is understood', (text, filter) => {
  expect(parsed(text)).toEqual({ ok: true, value: filter })
})

it.each([
  ['{"method":5}', '/method'],
  ['{"schemaErrors":true}', '/schemaErrors'],
  ['{"schemaErrors":"/a is required"}', '/schemaErrors'],
  ['{"schemaErrors":["/a is required"]}', '/schemaErrors'],
  ['{"schemaErrors":{}}', '/schemaErrors'],
  ['{"schemaErrors":{"$exists":"true"}}', '/schemaErrors/$exists'],
  ['{"schemaErrors":{"$exists":null}}', '/schemaErrors/$exists'],
  ['{"schemaErrors":{"$eq":"/a is required"}}', '/schemaErrors/$eq'],
  ['{"schemaErrors":{"$exists":true,"$ne":"x"}}', '/schemaErrors/$ne'],
  ['{"schemaErrors":{"__proto__":true}}', '/schemaErrors/__proto__'],
  ['{"method":null}', '/method'],
  ['{"method":{"$in":["Heartbeat"]}}', '/method'],
  ['{"method":["Heartbeat",5]}', '/method/1'],
  [`{"method":["${'x'.repeat(101)}"]}`, '/method/0'],
  ['{"connectorId":-1}', '/connectorId'],
  ['{"connectorId":1.5}', '/connectorId'],
  ['{"connectorId":1e400}', '/connectorId'],
  ['{"connectorId":true}', '/connectorId'],
  ['{"connectorId":"01"}', '/connectorId'],
  ['{"connectorId":" 1"}', '/connectorId'],
  ['{"connectorId":"1e0"}', '/connectorId'],
  ['{"connectorId":""}', '/connectorId'],
  ['{"connectorId":[1,[2]]}', '/connectorId/1'],
  ['{"connectorId":{}}', '/connectorId'],
  ['{"connectorId":{"$eq":null}}', '/connectorId/$eq'],
  ['{"connectorId":{"$eq":{"$eq":1}}}', '/connectorId/$eq'],
  ['{"connectorId":{"$in":1}}', '/connectorId/$in'],
  ['{"connectorId":{"$in":[1,{}]}}', '/connectorId/$in/1'],
  ['{"connectorId":{"$gt":"1"}}', '/connectorId/$gt'],
  ['{"connectorId":{"$gt":-1}}', '/connectorId/$gt'],
  ['{"connectorId":{"$exists":1}}', '/connectorId/$exists'],
  ['{"connectorId":{"$where":"1"}}', '/connectorId/$where'],
  ['{"connectorId":{"$regex":".*"}}', '/connectorId/$regex'],
  ['{"connectorId":{"__proto__":1}}', '/connectorId/__proto__'],
  ['{"connectorId":{"constructor":1}}', '/connectorId/constructor'],
  ['{"connectorId":{"a/b~c":1}}', '/connectorId/a~1b~0c'],
  ['{"connectorId":{"eq":1}}', '/connectorId/eq'],
  [`{"transactionId":"${'x'.repeat(37)}"}`, '/transactionId'],
  ['{"transactionId":9007199254740993}', '/transactionId'],
  ['{"transactionId":1.5}', '/transactionId'],
  ['{"transactionId":{"$lt":"9"}}', '/transactionId/$lt'],
  ['{"transactionId":{"$lt":1.5}}', '/transactionId/$lt'],
  ['{"status":"Available"}', '/status'],
  ['{"status":"SUCCESS"}', '/status'],
  ['{"status":["error","ok"]}', '/status/1'],
  ['{"status":{"$gt":"error"}}', '/status/$gt'],
])('SEARCH-Q2: %s is refused at %s', (text, pointer) => {
  expect(parsed(text)).toMatchObject({ ok: false, faults: [{ pointer }] })
})

it('SEARCH-Q2: a range that begins below 0 is told what an integer must be here', () => {
  const message = 'must be an integer of 0 or more'
  expect(parseFilter({ connectorId: { $gt: -1 } })).toMatchObject({ faults: [{ message }] })
})

it('SEARCH-Q2: a list holds up to 100 items, of every kind', () => {
  const list = (length: number) => Array.from({ length }, (_, i) => i)
  expect(parseFilter({ connectorId: list(100) }).ok).toBe(true)
  expect(parseFilter({ connectorId: { $nin: list(100) } }).ok).toBe(true)
  for (const input of [
    { connectorId: list(101) },
    { connectorId: { $in: list(101) } },
    { transactionId: list(101) },
    { method: list(101).map(String) },
  ]) {
    expect(parseFilter(input)).toMatchObject({ ok: false, faults: [{ code: 'too_many' }] })
  }
})

it('SEARCH-Q2: all faults of a request are reported at once', () => {
  const result = parsed('{"method":1,"connectorId":-1,"transactionId":{},"status":"x"}')
  expect(result.ok ? [] : result.faults.map((fault) => fault.pointer)).toEqual([
    '/method',
    '/connectorId',
    '/transactionId',
    '/status',
  ])
})

it('SEARCH-Q2: any JSON is answered with a filter or with faults that point into it', () => {
  forAll(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (connectorId, transactionId, status) => {
    const result = parseFilter({ connectorId, transactionId, status })
    if (result.ok) expect(Object.keys(result.value).length).toBe(3)
    else for (const fault of result.faults) expect(fault.pointer).toMatch(/^\/(connectorId|transactionId|status)/)
  })
})

it('SEARCH-Q2: the refusals and the guide name every operator that there is', () => {
  const names = operatorNames(true)
  const refused = (input: object) => parseFilter(input) as { readonly faults?: readonly { readonly message: string }[] }
  const [unknown] = refused({ connectorId: { $regex: 'x' } }).faults ?? []
  expect(unknown?.message.match(/\$\w+/g)).toEqual(names)
  const [unordered] = refused({ status: { $gt: 1 } }).faults ?? []
  expect(unordered?.message).toBe('has no order: use $eq, $ne, $in, $nin or $exists')
  expect(readFileSync('docs/search.md', 'utf8')).toContain(`\`${names.join(' ')}\``)
})
