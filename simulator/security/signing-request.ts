/** A PKCS #10 certificate signing request, as stations make them: EC P-256, signed with SHA-256. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

const OID = {
  commonName: '550403',
  organization: '55040a',
  ecdsaWithSha256: '2a8648ce3d040302',
} as const

export interface SigningRequest {
  readonly pem: string
  readonly privateKey: KeyObject
}

export function createSigningRequest(commonName: string, organization: string): SigningRequest {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(attribute(OID.organization, organization), attribute(OID.commonName, commonName))
  const unsigned = sequence(
    Buffer.from('020100', 'hex'),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    Buffer.from('a000', 'hex'),
  )
  const signature = sign('sha256', unsigned, privateKey)
  const der = sequence(unsigned, sequence(oid(OID.ecdsaWithSha256)), tagged(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    pem: `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`,
    privateKey,
  }
}

function attribute(type: string, value: string): Buffer {
  return tagged(0x31, sequence(oid(type), tagged(0x0c, Buffer.from(value, 'utf8'))))
}

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts)
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body])
}
