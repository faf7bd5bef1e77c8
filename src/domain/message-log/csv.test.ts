import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import type { Command } from '../ports/storage-records.ts'
import { addCsvLine, csvFileName, csvHeader } from './csv.ts'
import { logIdAt } from './log-id.ts'
import { Utf8Text } from './utf8-text.ts'

const row: Command = {
  id: logIdAt(Date.UTC(2026, 7, 1)),
  chargePointId: 'CP1',
  direction: 'out',
  method: 'Reset',
  messageId: 'm1',
  protocol: 'ocpp1.6',
  status: 'pending',
  request: '{"type":"Soft"}',
}

function csvLine(command: Command): string {
  const text = new Utf8Text()
  addCsvLine(text, command, 1n)
  return Buffer.from(text.take()).toString()
}

/** An RFC 4180 reader that shares nothing with the writer: one state machine over characters. */
function readCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let value = ''
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i)
    if (quoted && c === '"' && text[i + 1] === '"') {
      value += '"'
      i++
    } else if (c === '"') quoted = !quoted
    else if (quoted) value += c
    else if (c === ',') {
      record.push(value)
      value = ''
    } else if (c === '\r' && text[i + 1] === '\n') {
      record.push(value)
      records.push(record)
      record = []
      value = ''
      i++
    } else value += c
  }
  return records
}

function readRow(command: Command): Record<string, string> {
  const [names = [], values = []] = readCsv(csvHeader() + csvLine(command))
  expect(values).toHaveLength(names.length)
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']))
}

it('SEARCH-C2: the columns are fixed', () => {
  expect(csvHeader()).toBe(
    'id,createdAt,evseControllerId,direction,protocol,method,messageId,evseId,connectorId,transactionId,status,answeredAt,errorCode,errorDescription,errorDetails,request,response,schemaErrors\r\n',
  )
})

it('SEARCH-C2: payloads and error details are minified JSON, big integers as they were', () => {
  const fields = readRow({
    ...row,
    status: 'error',
    request: '{ "a" : [1, 9007199254740993] ,\n "b c": "d  \\" e" }',
    response: '{ }',
    error: { code: 'GenericError', description: 'no', details: { x: 1 } },
    answeredAt: Date.UTC(2026, 7, 2),
  })
  expect(fields).toMatchObject({
    request: '{"a":[1,9007199254740993],"b c":"d  \\" e"}',
    response: '{}',
    errorDetails: '{"x":1}',
    answeredAt: '2026-08-02T00:00:00.000Z',
  })
  expect(readRow(row)).toMatchObject({ response: '', errorCode: '', evseId: '', answeredAt: '' })
})

it('SEARCH-C8: what the schema objects to is a minified JSON list in the last column, empty where there is nothing', () => {
  const schemaErrors = 'The message was not JSON. /info must have at most 50 characters; /a is required (and 3 more)'
  expect(readRow({ ...row, schemaErrors }).schemaErrors).toBe(
    '["The message was not JSON.","/info must have at most 50 characters","/a is required","and 3 more"]',
  )
  expect(readRow(row).schemaErrors).toBe('')
})

it.each([
  ['=1+1', "'=1+1"],
  ['+cmd', "'+cmd"],
  ['-cmd|x', "'-cmd|x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', "'\rx"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['﹦1', "'﹦1"],
  ['\nx', "'\nx"],
  ['\n-1', "'\n-1"],
  ['\r\n=1', "'\r\n=1"],
  [' =1+1', "' =1+1"],
  [' \t@SUM(A1)', "' \t@SUM(A1)"],
  ['\u00a0+1+1', "'\u00a0+1+1"],
  ['\u200b=1+1', "'\u200b=1+1"],
  ['\ufeff=1+1', "'\ufeff=1+1"],
  ['\u2028=1+1', "'\u2028=1+1"],
  ['\u000b-1+1', "'\u000b-1+1"],
  [' -1', ' -1'],
  [' plain', ' plain'],
  ['', ''],
  ['＠x', "'＠x"],
  ['-1', '-1'],
  ['+1', '+1'],
  ['-1.5e3', '-1.5e3'],
  ['-.5', '-.5'],
  ['-1+1', "'-1+1"],
  ['plain', 'plain'],
  ['a=b', 'a=b'],
])('SEARCH-C3, SEARCH-C8: %j from a charge point is written as %j', (text, written) => {
  const fields = readRow({
    ...row,
    transactionId: text,
    messageId: text,
    error: { code: text, description: text, details: undefined },
  })
  expect(fields).toMatchObject({
    transactionId: written,
    messageId: written,
    errorCode: written,
    errorDescription: written,
  })
})

it('SEARCH-C3: NUL and halves of surrogate pairs are replaced', () => {
  expect(readRow({ ...row, messageId: 'a\0b\ud800c' }).messageId).toBe('a\uFFFDb\uFFFDc')
})

it('SEARCH-C3: any text survives the round trip', () => {
  forAll(fc.string({ unit: 'grapheme' }), fc.string(), (messageId, description) => {
    const fields = readRow({ ...row, messageId, error: { code: 'x', description, details: null } })
    const plain = (text: string) => Buffer.from(text.replaceAll('\0', '\uFFFD')).toString()
    expect([plain(messageId), `'${plain(messageId)}`]).toContain(fields.messageId)
    expect([plain(description), `'${plain(description)}`]).toContain(fields.errorDescription)
  })
})

it('SEARCH-C3: minifying keeps the value of any JSON', () => {
  forAll(fc.jsonValue(), (value) => {
    const plain: unknown = JSON.parse(JSON.stringify(value))
    const request = readRow({ ...row, request: JSON.stringify([plain], null, 3) }).request ?? ''
    expect(request).toBe(JSON.stringify([plain]).replaceAll('\0', '\uFFFD'))
  })
})

it.each([
  ['{}', '{}'],
  [' { "a b" : "c  d" } ', '{"a b":"c  d"}'],
  ['{"a":"\\\\","b":" \\" "}', '{"a":"\\\\","b":" \\" "}'],
  ['-1', '-1'],
  [' =1+1', "'=1+1"],
  ['@x "y z"', `'@x"y z"`],
  ['no "end', 'no"end'],
  ['a\0b\ud800"', 'a\uFFFDb\uFFFD"'],
  ['', ''],
])('SEARCH-C3: a payload that is %j, JSON or not, is written as %j', (request, written) => {
  expect(readRow({ ...row, request, response: request })).toMatchObject({ request: written, response: written })
})

it('SEARCH-C3: quotes stand only where a field needs them', () => {
  const fields = csvLine({ ...row, chargePointId: 'LOG-0001', transactionId: 'a b', request: '{}' }).trimEnd()
  expect(fields).not.toContain('"')
  expect(fields).toMatch(/,LOG-0001,out,ocpp1.6,Reset,m1,,,a b,pending,,,,,\{\},,$/)
})

it('SEARCH-C3: a payload of the largest frame is minified at once', () => {
  const request = JSON.stringify({ data: '\\"'.repeat(400_000) }, null, 2)
  expect(csvLine({ ...row, request }).length).toBeGreaterThan(request.length)
})

it('SEARCH-C1: the file name holds nothing that a header or a file system minds', () => {
  expect(csvFileName('a/../"b\r\nC ü', '2026-08-01T00:00:00.000Z')).toBe(
    'commands-a_..__b__C__-2026-08-01T00_00_00.000Z.csv',
  )
})
