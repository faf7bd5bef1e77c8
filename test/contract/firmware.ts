/** Firmware, logs, and their files. */
import type { Address } from './address.ts'
import { ANY, CP, FIRMWARE, FROM, LIST, TIME } from './common.ts'

export const FIRMWARE_AND_LOGS: readonly Address[] = [
  {
    at: 'POST /2/firmware',
    isOwn: true,
    needs: FIRMWARE,
    answers: 201,
    form: () => form({ version: '2.0', models: '["Two"]' }, 'the image'),
    has: { version: '2.0', models: ['Two'], bytes: 9, signed: false, sha256: ANY },
    reported: { location: /^\/2\/firmware\/fw_[0-9a-f]+$/ },
    keeps: 'firmwareId',
  },
  { at: 'GET /2/firmware', needs: FIRMWARE, answers: 200, wrongQuery: LIST, has: { data: [{ version: '2.0' }] } },
  { at: 'GET /2/firmware/{firmwareId}', needs: FIRMWARE, answers: 200, has: { fileName: 'image.bin' } },
  {
    at: 'POST /2/firmware-campaigns',
    isOwn: true,
    needs: FIRMWARE,
    answers: 201,
    body: ({ ids }) => ({
      selector: { ids: ['CP1'] },
      firmwareId: ids.get('firmwareId'),
      waves: ['1', '5%', '100%'],
      maxFailureRate: 0.05,
      onlyIdle: true,
      retryOffline: true,
      window: { start: '00:00', end: '00:00', timeZone: 'UTC' },
    }),
    wrong: [
      [{ selector: {} }, '/firmwareId'],
      [{ selector: {}, location: 'gopher://x' }, '/location'],
      [{ selector: {}, location: 'https://x.example/fw', version: '2', waves: ['all'] }, '/waves/0'],
      [{ selector: {}, location: 'https://x.example/fw', version: '2', maxFailureRate: 2 }, '/maxFailureRate'],
    ],
    has: { state: 'draft', version: '2.0', waves: ['1', '5%', '100%'], maxFailureRate: 0.05, counts: {} },
    reported: { location: /^\/2\/firmware-campaigns\/cmp_/ },
    keeps: 'campaignId',
  },
  { at: 'GET /2/firmware-campaigns', needs: FIRMWARE, answers: 200, wrongQuery: LIST, isOwn: true },
  { at: 'POST /2/firmware-campaigns/{campaignId}/start', needs: FIRMWARE, answers: 200, has: { state: 'running' } },
  {
    at: 'GET /files/{token}',
    first: (place) => place.awaitFirmware(),
    needs: 'anyone',
    answers: 206,
    headers: { range: 'bytes=0-2' },
    type: 'application/octet-stream',
    reported: { 'content-range': /^bytes 0-2\/9$/ },
  },
  {
    at: 'GET /2/firmware-campaigns/{campaignId}',
    isMakers: true,
    needs: FIRMWARE,
    answers: 200,
    has: { counts: { running: 1 }, data: [{ evseControllerId: 'CP1', wave: 1, state: 'running', updatedAt: TIME }] },
  },
  { at: 'POST /2/firmware-campaigns/{campaignId}/pause', needs: FIRMWARE, answers: 200, has: { state: 'paused' } },
  { at: 'POST /2/firmware-campaigns/{campaignId}/resume', needs: FIRMWARE, answers: 200, has: { state: 'running' } },
  { at: 'POST /2/firmware-campaigns/{campaignId}/cancel', needs: FIRMWARE, answers: 200, has: { state: 'cancelled' } },
  { at: 'DELETE /2/firmware/{firmwareId}', needs: FIRMWARE, answers: 204 },
  {
    at: `POST ${CP}/logs`,
    needs: FIRMWARE,
    answers: 202,
    body: { type: 'diagnostics', from: FROM },
    wrong: [
      [{}, '/type'],
      [{ type: 'poetry' }, '/type'],
      [{ type: 'security', from: 'then' }, '/from'],
      [{ type: 'security', from: FROM, to: FROM }, '/to'],
    ],
    has: { id: ANY, evseControllerId: 'CP1', state: 'requested' },
    reported: { location: /^\/2\/evse-controllers\/CP1\/logs\/\d+$/ },
  },
  { at: 'PUT /files/{token}/{fileName}', ...upload('a') },
  { at: 'POST /files/{token}/{fileName}', ...upload('b') },
  { at: 'POST /files/{token}', ...upload('c') },
  { at: 'PUT /files/{token}', ...upload('the log') },
  {
    at: `GET ${CP}/logs`,
    needs: FIRMWARE,
    answers: 200,
    query: '?limit=1',
    wrongQuery: LIST,
    has: { data: [{ state: 'uploaded', file: { bytes: 7 } }] },
    keeps: 'logId',
  },
  { at: `GET ${CP}/logs/{logId}`, needs: FIRMWARE, answers: 200, has: { state: 'uploaded', createdAt: TIME } },
  { at: `GET ${CP}/logs/{logId}/file`, needs: FIRMWARE, answers: 200, type: 'application/octet-stream' },
]

function upload(text: string): Omit<Address, 'at'> {
  return {
    first: async (place) => {
      await place.askForLog()
      place.ids.set('fileName', 'it.log')
    },
    needs: 'anyone',
    answers: 201,
    form: () => form({}, text),
  }
}

function form(fields: Readonly<Record<string, string>>, content: string): FormData {
  const made = new FormData()
  made.append('file', new Blob([content]), 'image.bin')
  for (const [name, value] of Object.entries(fields)) made.append(name, value)
  return made
}
