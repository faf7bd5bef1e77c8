/** AES-256-GCM for the database. Each purpose has a derived key, which opens nothing of another (OIDC-D8, HOOK-W4). */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

interface Purpose {
  /** Input of the key derivation. Never changed: databases hold data sealed under it. */
  readonly name: string
  /** Position of the authentication tag: before or behind the cipher text. */
  readonly tag: 'before' | 'behind'
  /** A purpose that once shared its key with this one: its data still opens. */
  readonly formerName?: string | undefined
}

const PURPOSES = {
  signingKeys: { name: 'pilotwire oidc signing keys', tag: 'before' },
  repeatedTokens: { name: 'pilotwire oidc repeated answers', tag: 'before' },
  webhookSecrets: { name: 'pilotwire webhook secrets', tag: 'behind' },
  keptAnswers: { name: 'pilotwire kept answers', tag: 'behind', formerName: 'pilotwire webhook secrets' },
  secondSteps: { name: 'pilotwire second step', tag: 'behind' },
  signInFlows: { name: 'pilotwire sign-in flow', tag: 'behind' },
  secondFactors: { name: 'pilotwire second factor', tag: 'behind' },
  certificateAuthorities: { name: 'pilotwire certificate authorities', tag: 'behind' },
  desiredValues: { name: 'pilotwire desired values', tag: 'behind' },
  nodeRequests: { name: 'pilotwire node requests', tag: 'behind' },
  passwordChanges: { name: 'pilotwire password changes', tag: 'behind' },
  outgoingCalls: { name: 'pilotwire outgoing calls', tag: 'behind' },
  partnerTokens: { name: 'pilotwire partner tokens', tag: 'behind' },
} as const satisfies Record<string, Purpose>

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SealedBox {
  /** @param owner such as a subscription's id: copied to another owner's row, it does not open */
  seal(text: string, owner?: string): string
  /** Undefined: another owner, purpose or key, or changed since. */
  open(sealed: string, owner?: string): string | undefined
}

/**
 * @param secretKey the installation's key (32 bytes)
 * @example sealedBox(config.secretKey, 'webhookSecrets', randomBytes).seal('whsec_…', 'wh_1') // base64url
 */
export function sealedBox(
  secretKey: Uint8Array,
  purpose: keyof typeof PURPOSES,
  random: (bytes: number) => Buffer,
): SealedBox {
  const { name, tag, formerName }: Purpose = PURPOSES[purpose]
  const keyOf = (info: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', info, KEY_BYTES))
  const key = keyOf(name)
  const keys = formerName === undefined ? [key] : [key, keyOf(formerName)]
  return {
    seal(text, owner = '') {
      const nonce = random(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const parts = tag === 'before' ? [cipher.getAuthTag(), body] : [body, cipher.getAuthTag()]
      return Buffer.concat([nonce, ...parts]).toString('base64url')
    },
    open(sealed, owner = '') {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
      for (const candidate of keys) {
        const text = opened(candidate, bytes, tag, owner)
        if (text !== undefined) return text
      }
      return undefined
    },
  }
}

function opened(key: Buffer, bytes: Buffer, tag: Purpose['tag'], owner: string): string | undefined {
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const rest = bytes.subarray(NONCE_BYTES)
  const [authTag, body] =
    tag === 'before'
      ? [rest.subarray(0, TAG_BYTES), rest.subarray(TAG_BYTES)]
      : [rest.subarray(-TAG_BYTES), rest.subarray(0, -TAG_BYTES)]
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(authTag)
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
