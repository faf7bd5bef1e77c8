/** For tests: keys, requests and authorities as charge points and their operators have them. */

import { randomBytes, webcrypto } from 'node:crypto'
import type { Extension } from '@peculiar/x509'
import { createAuthority, openAuthority, publicKeyOf } from '../../../../src/domain/x509/authority.ts'
import {
  issueCertificate,
  randomSerialNumber,
  type SigningAuthority,
  subjectNames,
} from '../../../../src/domain/x509/issue.ts'
import { type KeyKind, x509Library } from '../../../../src/domain/x509/library.ts'

const x509 = x509Library()

export interface TestKeys {
  readonly keys: webcrypto.CryptoKeyPair
  readonly algorithm: webcrypto.Algorithm
  /** PKCS#8 in PEM. */
  readonly privateKey: string
}

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

export async function testKeys(kind: KeyKind | 'RSA-PSS' | 'Ed25519' = 'EC', bits = 2048): Promise<TestKeys> {
  const algorithm =
    kind === 'EC'
      ? EC
      : kind === 'Ed25519'
        ? { name: 'Ed25519' }
        : {
            name: kind === 'RSA' ? 'RSASSA-PKCS1-v1_5' : 'RSA-PSS',
            hash: 'SHA-256',
            saltLength: 32,
            modulusLength: bits,
            publicExponent: new Uint8Array([1, 0, 1]),
          }
  const usages: webcrypto.KeyUsage[] = ['sign', 'verify']
  const keys = (await webcrypto.subtle.generateKey(algorithm as never, true, usages)) as webcrypto.CryptoKeyPair
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const lines = pkcs8.match(/.{1,64}/g) ?? []
  return {
    keys,
    algorithm,
    privateKey: ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n'),
  }
}

/** PEM. `signedBy`: another key's owner, whose signature is no proof. */
export async function testCsr(own: TestKeys, commonName: string | undefined, signedBy = own): Promise<string> {
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: commonName === undefined ? '' : subjectNames(commonName, 'whatever it says'),
    keys: { publicKey: own.keys.publicKey, privateKey: signedBy.keys.privateKey },
    signingAlgorithm: own.algorithm as never,
  })
  return request.toString('pem')
}

export async function testAuthority(
  kind: KeyKind = 'EC',
  name = 'Test CA',
  now = Date.now(),
): Promise<SigningAuthority> {
  const parts = { name, organization: 'Test', now, random: randomBytes }
  return openAuthority(kind, await createAuthority(kind, parts))
}

export async function testCertificate(
  authority: SigningAuthority,
  own: TestKeys,
  subject: { readonly commonName: string; readonly organization?: string; readonly now?: number },
): Promise<string> {
  const { commonName, organization = 'Test', now = Date.now() } = subject
  return issueCertificate(authority, {
    publicKey: publicKeyOf(await webcrypto.subtle.exportKey('spki', own.keys.publicKey)),
    commonName,
    organization,
    use: 'ChargingStationCertificate',
    now,
    random: randomBytes,
    crlUrl: 'http://localhost/certificates/test.crl',
  })
}

/** One that no authority of ours makes: PEM with these extensions, for these times. */
export async function testOddCertificate(
  authority: SigningAuthority,
  own: TestKeys,
  {
    commonName,
    extensions,
    notBefore = Date.now() - 3600_000,
    notAfter = Date.now() + 3600_000,
  }: {
    readonly commonName: string
    readonly extensions: readonly Extension[]
    readonly notBefore?: number
    readonly notAfter?: number
  },
): Promise<string> {
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomSerialNumber(randomBytes),
    subject: subjectNames(commonName, 'Test'),
    issuer: new x509.X509Certificate(authority.certificate).subjectName,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    publicKey: own.keys.publicKey,
    signingKey: authority.signingKey,
    signingAlgorithm: authority.algorithm,
    extensions: [...extensions],
  })
  return certificate.toString('pem')
}
