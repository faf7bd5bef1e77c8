/** Images: whether a signature is of a file (FIRMWARE-I2; A00.FR.707, L01.FR.12), and who knows which (FIRMWARE-I5). */
import { constants, createVerify, type KeyObject, X509Certificate } from 'node:crypto'
import { holdsPrivateKey, PRIVATE_KEY_FAULT } from '../x509/pem.ts'
import type { FirmwareImage } from './records.ts'

const CERTIFICATE_CHARACTERS = 5500
const SIGNATURE_CHARACTERS = 800

/** Undefined: it can be used at this time. Otherwise what is wrong, as the end of a sentence. */
export function certificateFault(certificate: string, now: number): string | undefined {
  if (certificate.length > CERTIFICATE_CHARACTERS) return `may have at most ${CERTIFICATE_CHARACTERS} characters`
  if (holdsPrivateKey(certificate)) return PRIVATE_KEY_FAULT
  const parsed = parse(certificate)
  if (!parsed) return 'must be a certificate in PEM'
  if (!isVerifiable(parsed.publicKey)) return 'must have an RSA key of 2048 bits or more, or one on an elliptic curve'
  if (Date.parse(parsed.validFrom) > now) return 'is not valid yet'
  if (Date.parse(parsed.validTo) < now) return 'has expired'
  return undefined
}

export function signatureFault(signature: string): string | undefined {
  if (signature.length > SIGNATURE_CHARACTERS) return `may have at most ${SIGNATURE_CHARACTERS} characters`
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(signature) && signature.length % 4 === 0
  return isBase64 ? undefined : 'must be base64'
}

/** Over the file's SHA-256: RSA-PSS as specified, PKCS #1 v1.5 as most tools sign, ECDSA. @param certificate valid */
export async function isSignatureOf(
  content: AsyncIterable<Uint8Array>,
  certificate: string,
  signature: string,
): Promise<boolean> {
  const key = parse(certificate)?.publicKey
  if (!key) return false
  const verifiers = paddingsOf(key).map((padding) => ({ padding, verify: createVerify('sha256') }))
  for await (const piece of content) for (const { verify } of verifiers) verify.update(piece)
  const bytes = Buffer.from(signature, 'base64')
  return verifiers.some(({ padding, verify }) => verify.verify({ key, ...padding }, bytes))
}

function parse(certificate: string): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate)
  } catch {
    return undefined
  }
}

function isVerifiable({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return true
  const isRsa = asymmetricKeyType === 'rsa' || asymmetricKeyType === 'rsa-pss'
  return isRsa && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
}

function paddingsOf({ asymmetricKeyType }: KeyObject): readonly object[] {
  if (asymmetricKeyType === 'ec') return [{}]
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
  return asymmetricKeyType === 'rsa' ? [pss, { padding: constants.RSA_PKCS1_PADDING }] : [pss]
}

type Owned = Pick<FirmwareImage, 'grantId'>

/** `own`: read, delete. `name`: in an application's campaigns. @param grantId of an application; undefined: account */
export function knowledgeOf(image: Owned, grantId: string | undefined): 'own' | 'name' | undefined {
  if (grantId === undefined || image.grantId === grantId) return 'own'
  return image.grantId === undefined ? 'name' : undefined
}

export function imageFile(id: string): string {
  return `firmware-${id.replace('_', '-')}`
}
