import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll, forRuns } from '../../../test/support/property.ts'
import { callText, errorText, nestsDeeperThan, readFrame, resultText } from './frame.ts'

const call = { type: 'call', messageId: 'a1', idText: '"a1"', action: 'Heartbeat', payload: {}, payloadText: '{}' }

it('reads a CALL, a CALLRESULT and a CALLERROR', () => {
  expect(readFrame('[2,"a1","Heartbeat",{}]')).toEqual(call)
  expect(readFrame('[3,"a1",{"status":"Accepted"}]')).toEqual({
    type: 'result',
    messageId: 'a1',
    payload: { status: 'Accepted' },
    payloadText: '{"status":"Accepted"}',
  })
  expect(readFrame('[4,"a1","NotImplemented","why",{"a":1}]')).toEqual({
    type: 'error',
    messageId: 'a1',
    code: 'NotImplemented',
    description: 'why',
    details: { a: 1 },
  })
})

it('OCPP-RP1: empty and blank frames are vendor keep-alives', () => {
  for (const text of ['', ' ', '\r\n']) expect(readFrame(text)).toEqual({ type: 'empty' })
})

it.each([
  ['[2,17,"Heartbeat",{}]', { messageId: '17', idText: '17' }],
  ['[2,9223372036854775807,"Heartbeat",{}]', { messageId: '9223372036854775807', idText: '9223372036854775807' }],
  ['[2, "a\\u0062" ,"Heartbeat",{}]', { messageId: 'ab', idText: '"a\\u0062"' }],
  [`[2,"${'x'.repeat(255)}","Heartbeat",{}]`, { messageId: 'x'.repeat(255) }],
])('OCPP-RP2: %s is read, its id echoed as it was sent', (text, expected) => {
  expect(readFrame(text)).toMatchObject({ type: 'call', ...expected })
})

it.each(['[2,"a1","Heartbeat"]', '[2,"a1","Heartbeat",null]', '[2,"a1","Heartbeat",{},"more",[1]]'])(
  'OCPP-RP2: missing or null payloads are {}, extra elements are ignored: %s',
  (text) => expect(readFrame(text)).toEqual(call),
)

it('OCPP-RP7: an answer whose type is text left our call without one', () => {
  expect(readFrame('["3","a1",{}]')).toEqual(readFrame('[3,"a1",{}]'))
  expect(readFrame('["4","a1","InternalError","",{}]')).toEqual(readFrame('[4,"a1","InternalError","",{}]'))
  expect(readFrame('["3 ","a1",{}]')).toMatchObject({ type: 'malformed' })
})

it('OCPP-RP2: actions keep their case', () => {
  expect(readFrame('[2,"a1","heartbeat",{}]')).toMatchObject({ action: 'heartbeat' })
})

it('OCPP-DR3: the payload stays the text it was, integers above 2^53 included', () => {
  const payload = '{ "transactionId" : 9223372036854775807, "x": "]},[\\"" }'
  expect(readFrame(` [ 2 , "a1" , "StopTransaction" , ${payload} ] `)).toMatchObject({ payloadText: payload })
  expect(readFrame(`[2,"a1","StopTransaction",${payload},"extra"]`)).toMatchObject({ payloadText: payload })
  expect(readFrame(`[3,"a1",${payload}]`)).toMatchObject({ payloadText: payload })
})

it.each([
  ['{', undefined],
  ['{"a":1}', undefined],
  ['"text"', undefined],
  ['17', undefined],
  ['null', undefined],
  ['[]', undefined],
  ['["2","a1","Heartbeat",{}]', undefined],
  ['[1e400,"a1","Heartbeat",{}]', undefined],
  ['[2]', undefined],
  ['[2,null,"Heartbeat",{}]', undefined],
  ['[2,{"a":[1,2]},"Heartbeat",{}]', undefined],
  [`[2,"${'x'.repeat(256)}","Heartbeat",{}]`, undefined],
  [`[2,${'1'.repeat(256)},"Heartbeat",{}]`, undefined],
  ['[3]', undefined],
  ['[4]', undefined],
  ['[5]', undefined],
  ['[2,"a1"]', '"a1"'],
  ['[2,"a1",7,{}]', '"a1"'],
])('OCPP-RP10: %s is malformed, never an exception', (text, idText) => {
  const frame = readFrame(text)
  expect(frame).toMatchObject({ type: 'malformed' })
  expect(frame).toEqual({ ...frame, ...(idText !== undefined && { idText }) })
  expect('idText' in frame).toBe(idText !== undefined)
})

it('OCPP-RP11: types 5 and 6 are told apart, other numbers are named', () => {
  const failed = { type: 'resultError', messageId: 'a1', code: 'FormatViolation' }
  expect(readFrame('[5,"a1","FormatViolation","",{}]')).toMatchObject(failed)
  const stream = { type: 'call', isSend: true, messageId: 'a1', action: 'NotifyPeriodicEventStream' }
  expect(readFrame('[6,"a1","NotifyPeriodicEventStream",{}]')).toMatchObject(stream)
  for (const text of ['[6]', '[6,"a1",7,{}]', '[6,{},"X",{}]']) {
    expect(readFrame(text)).toMatchObject({ type: 'unknownType', messageType: 6 })
  }
  const deep = `[6,"a1","X",${'['.repeat(100)}${']'.repeat(100)}]`
  expect(readFrame(deep)).toMatchObject({ type: 'call', isSend: true, tooDeep: true })
  expect(readFrame('[7,"a1"]')).toEqual({ type: 'unknownType', messageType: 7, idText: '"a1"' })
  expect(readFrame('[-1]')).toEqual({ type: 'unknownType', messageType: -1, idText: '"-1"' })
})

it('OCPP-RP12: duplicate keys, __proto__ and 1e400 are read without harm', () => {
  expect(readFrame('[2,"a1","X",{"a":1,"a":2}]')).toMatchObject({ payload: { a: 2 } })
  expect(readFrame('[2,"a1","X",{"__proto__":{"polluted":true}}]')).toMatchObject({ type: 'call' })
  expect('polluted' in {}).toBe(false)
  expect(readFrame('[2,"a1","X",{"a":1e400}]')).toMatchObject({ payloadText: '{"a":1e400}' })
})

it.each([
  ['arrays', `${'['.repeat(300_000)}${']'.repeat(300_000)}`],
  ['an id', `[2,${'['.repeat(100)}${']'.repeat(100)},"X",{}]`],
  ['objects', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`],
  ['unfinished', '['.repeat(500_000)],
])('OCPP-RP12: extreme nesting (%s) is malformed', (_, text) => {
  expect(readFrame(text)).toMatchObject({ type: 'malformed', reason: 'The message is nested too deeply.' })
})

it.each([
  ['arrays', `${'['.repeat(300_000)}${']'.repeat(300_000)}`],
  ['objects', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`],
  ['unfinished', '['.repeat(500_000)],
])('OCPP-RP12: a CALL that is nested too deeply (%s) keeps its own id, of which its answer speaks', (_, payload) => {
  const call = { type: 'call', messageId: 'a1', idText: '"a1"', action: 'X', payload: {}, tooDeep: true }
  expect(readFrame(` [ 2 , "a1", "X" ,${payload}]`)).toMatchObject(call)
  expect(readFrame(`[2,17,"X",${payload}]`)).toMatchObject({ ...call, messageId: '17', idText: '17' })
  expect(readFrame(`[2,"a1",${payload}]`)).toMatchObject({ type: 'malformed', idText: '"a1"' })
})

it('OCPP-RP12: an answer that is nested too deeply ends the call that it answers', () => {
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`
  for (const text of [`[3,"a1",${deep}]`, `[4,"a1","GenericError","",${deep}]`]) {
    expect(readFrame(text)).toMatchObject({
      type: 'error',
      messageId: 'a1',
      description: 'The message is nested too deeply.',
    })
  }
})

it('OCPP-RP12: a text nests as deeply as its value, however many brackets it has', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  const bracketed = fc.jsonValue({ maxDepth: 8, stringUnit: fc.constantFrom('[', '{', ']', '}', '"', '\\') })
  forRuns(1000)(bracketed, fc.nat(8), (value, limit) => {
    expect(nestsDeeperThan(JSON.stringify(value), limit)).toBe(depthOf(value) > limit)
  })
})

it('OCPP-RP12: brackets within strings are not nesting', () => {
  expect(readFrame(`[2,"a1","X",{"a":"${'['.repeat(200)}"}]`)).toMatchObject({ type: 'call' })
})

it('never throws, whatever the text', () => {
  forAll(fc.oneof(fc.string(), fc.json(), hostileArray()), (text) => Boolean(readFrame(text)))
})

it('reads back every CALL that was written, payload text untouched', () => {
  forAll(
    fc.string({ maxLength: 255 }),
    fc.string(),
    payloads(),
    fc.array(fc.jsonValue()),
    (id, action, payload, extra) => {
      const tail = extra.map((element) => `,${JSON.stringify(element)}`).join('')
      const text = `${callText(id, action, payload).slice(0, -1)}${tail}]`
      expect(readFrame(text)).toEqual({
        type: 'call',
        messageId: id,
        idText: JSON.stringify(id),
        action,
        payload: JSON.parse(JSON.stringify(payload)),
        payloadText: JSON.stringify(payload),
      })
    },
  )
})

it('reads back every CALLRESULT, also when it is spread over lines', () => {
  forAll(fc.string({ maxLength: 255 }), payloads(), fc.constantFrom('', ' ', '\r\n\t'), (id, payload, space) => {
    const payloadText = JSON.stringify(payload, null, space)
    const text = resultText(`${space}${JSON.stringify(id)}`, `${payloadText}${space}`)
    expect(readFrame(text)).toMatchObject({ type: 'result', messageId: id, payloadText })
  })
})

it('OCPP-EC2: errorText: descriptions end at 255 characters, details are always an object', () => {
  const [, id, code, description, details] = JSON.parse(errorText('17', 'InternalError', 'x'.repeat(300))) as unknown[]
  expect([id, code, details]).toEqual([17, 'InternalError', {}])
  expect(description).toBe('x'.repeat(255))
})

it('errorText: carries details where there are some', () => {
  expect(errorText('"a"', 'FormatViolation', 'no', { at: '/x' })).toBe('[4,"a","FormatViolation","no",{"at":"/x"}]')
})

function payloads(): fc.Arbitrary<object> {
  return fc.dictionary(
    fc.string().filter((key) => key !== '__proto__'),
    fc.jsonValue({ maxDepth: 4 }),
  )
}

function hostileArray(): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof(fc.jsonValue(), fc.constantFrom(2, 3, 4, 5, 6)), { maxLength: 6 })
    .map((elements) => JSON.stringify(elements))
}
