/** Reading forms: media type and size are checked before anything looks inside. */
import type { PageContext } from './site.ts'

/** API-B5. */
export const MOST_BODY_BYTES = 64 * 1024

/** Why the body of a request could not be read. */
export type BodyFault = 'too_large' | 'broken_off'

export class UnreadableForm extends Error {
  override readonly name = 'UnreadableForm'
  readonly status: number

  constructor(fault: BodyFault) {
    super(`the form cannot be read: ${fault}`)
    this.status = fault === 'too_large' ? 413 : 400
  }
}

/**
 * The form of a page of ours, whose fields may repeat (check boxes). Undefined when it is no form.
 * @throws UnreadableForm
 */
export async function readPageForm({ req }: PageContext): Promise<URLSearchParams | undefined> {
  if (!isForm(req.header('content-type') ?? null)) return undefined
  const body = await readBody(req.raw)
  if ('fault' in body) throw new UnreadableForm(body.fault)
  return new URLSearchParams(body.text)
}

export function isForm(contentType: string | null): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(;.*)?$/i.test(contentType ?? '')
}

/** Nothing is read on once the limit is passed. */
export async function readBody(request: Request): Promise<{ readonly text: string } | { readonly fault: BodyFault }> {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BODY_BYTES) return { fault: 'too_large' }
  if (!request.body) return { text: '' }
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  for (;;) {
    const part = await reader.read().catch(() => undefined)
    if (!part) return { fault: 'broken_off' }
    if (part.done) return { text: Buffer.concat(chunks).toString('utf8') }
    size += part.value.length
    if (size > MOST_BODY_BYTES) {
      await reader.cancel()
      return { fault: 'too_large' }
    }
    chunks.push(part.value)
  }
}
