/** Firmware images and the campaigns that bring them to charge points, over HTTP. */
import { createSign } from 'node:crypto'
import { expect } from 'vitest'
import type { House, Json } from './house.ts'
import { CERTIFICATES } from './support/sockets/tls.ts'

export const signatureOf = (content: Buffer): string =>
  createSign('sha256').update(content).sign(CERTIFICATES.rsa.key, 'base64')

/** What an upload says beside its file when the file is signed. */
export const signedAs = (content: Buffer): Readonly<Record<string, string>> => ({
  certificate: CERTIFICATES.rsa.cert,
  signature: signatureOf(content),
})

export async function upload(
  { url, credential }: House,
  fields: Readonly<Record<string, string>>,
  content: Buffer,
): Promise<{ readonly status: number; readonly body: Json }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([content]), 'image.bin')
  const headers = { authorization: `Bearer ${credential}` }
  const response = await fetch(`${url}/2/firmware`, { method: 'POST', headers, body: form })
  return { status: response.status, body: (await response.json()) as Json }
}

/** Makes a campaign and starts it. @returns its id */
export async function startedCampaign({ request }: House, body: Json): Promise<string> {
  const made = await request('POST', '/2/firmware-campaigns', { soakMinutes: 0, ...body })
  expect(made.status, made.text).toBe(201)
  const id = String(made.body.id)
  const started = await request('POST', `/2/firmware-campaigns/${id}/start`)
  expect(started.status, started.text).toBe(200)
  return id
}
