import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PUBLISHED } from '../../../test/support/domain/signed-values/records.ts'
import { meterOn, signedValue } from '../../../test/support/domain/signed-values/testing.ts'
import { forAll } from '../../../test/support/property.ts'
import { readSignedValue, valueXml, XML_BEGIN, XML_END } from './view.ts'

const [keba] = PUBLISHED
const { record, publicKey } = keba ?? { record: '', publicKey: '' }

function xml(data: string, facts = {}): string {
  return valueXml(
    readSignedValue(signedValue(data, facts), () => undefined),
    '7',
  )
}

it('SIGNED-X2: is what the transparency software publishes as its format', () => {
  expect(XML_BEGIN + xml(record, { context: 'Transaction.Begin', publicKey }) + XML_END).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<values>
  <value transactionId="7" context="Transaction.Begin">
    <signedData format="OCMF" encoding="plain" transactionId="7">${record}</signedData>
    <publicKey encoding="hex">${publicKey}</publicKey>
  </value>
</values>
`,
  )
})

it('SIGNED-X2: text that was sent in base64 or hex is shown as the text that it is', () => {
  for (const encoding of ['base64', 'hex'] as const) {
    expect(xml(Buffer.from(record).toString(encoding))).toContain(`encoding="plain" transactionId="7">${record}<`)
  }
})

it('SIGNED-X2: the key of the OCA is shown as it is printed on the meter', () => {
  const oca = Buffer.from(`oca:base16:asn1:${publicKey}`).toString('base64')
  expect(xml(record, { publicKey: oca })).toContain(`<publicKey encoding="hex">${publicKey}</publicKey>`)
  expect(xml(record, { publicKey: 'who <knows>' })).toContain('<publicKey>who &lt;knows&gt;</publicKey>')
  expect(xml(record)).not.toContain('publicKey')
})

it('SIGNED-X2: a bare point is shown with the curve of its record', () => {
  const meter = meterOn('brainpoolP256r1', 'ECDSA-brainpool256r1-SHA256')
  const point = meter.publicKey.slice(-130)
  expect(xml(meter.record([]), { publicKey: point })).toContain(`encoding="hex">${meter.publicKey.toUpperCase()}<`)
})

it.each([
  ['AP;0;3;AJ2J7LYMGCIWT4AHUJPPFIIVB3FGRV2JQ2HVZG2I', {}, ' format="ALFEN" encoding="plain"'],
  ['/////w==', { encodingMethod: 'EDL40_MENNEKES' }, ' format="EDL_40_MENNEKES" encoding="base64"'],
  ['1b1b1b1bff', { encodingMethod: 'EDL' }, ' encoding="hex"'],
  ['<?xml version="1.0"?><a>&amp;</a>', {}, '>&lt;?xml version="1.0"?&gt;&lt;a&gt;&amp;amp;&lt;/a&gt;<'],
  ['a\rb', {}, '>a&#13;b<'],
  ['\u0001', {}, ' encoding="base64" transactionId="7">AQ==<'],
  ['\ud800', {}, ' encoding="base64" transactionId="7">77+9<'],
])('SIGNED-X2: %j', (data, facts, expected) => {
  expect(xml(data, facts)).toContain(expected)
})

it('SIGNED-X2: the context of the message stands where it is neither begin nor end', () => {
  expect(xml('x', { context: 'Sample.Clock' })).toContain('<value transactionId="7" context="Sample.Clock">')
  expect(xml('x', { context: '"<&\u0000' })).toContain('<value transactionId="7">')
  expect(xml('x', { context: '"<&' })).toContain('context="&quot;&lt;&amp;"')
})

it('SIGNED-X2: nothing that is sent opens or closes an element', () => {
  forAll(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (data, more) => {
    const text = xml(data, { publicKey: more, context: more, encodingMethod: more })
    expect([4, 6]).toContain(text.match(/</g)?.length)
  })
})
