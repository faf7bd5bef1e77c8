/** Models that are asked for their configuration keys in tens: shown, and deleted (DEVICE-A6). */
import { parsedJson } from '../parsed-json.ts'
import type { Reads } from '../ports/storage.ts'
import { resource } from '../resources/resource.ts'
import type { ModelQuirk } from './records.ts'

const QUIRK = 'dropsOnGetConfiguration'
type Shown = ModelQuirk & { readonly quirk: typeof QUIRK }

export const quirk = resource({
  name: 'ModelQuirk',
  api: { tag: 'Device model', id: 'quirkId', missing: 'model' },
  fields: {
    quirk: {
      kind: 'choice',
      options: [QUIRK],
      describe: 'It dropped its connection twice when it was asked for all configuration keys.',
    },
    vendor: { kind: 'word', optional: true },
    model: { kind: 'word', optional: true },
    firmwareVersion: { kind: 'word', optional: true },
    provedBy: { kind: 'chargePoint', names: { api: 'evseControllerId' }, describe: 'The charge point that did so.' },
    at: { kind: 'time' },
  },
  calledBy: 'model',
  rights: { owner: 'account', api: 'credential', see: 'administrator', change: 'administrator' },
  operations: {
    list: { summary: 'List models that are asked for their configuration keys in tens', answer: 'A page of models' },
    delete: {
      summary: 'Delete a quirk, so that the model is asked for all keys at once again',
      answer: 'Taken back',
    },
  },
  store: {
    async list(reads, accountId, { limit, afterId } = { limit: 1000, afterId: undefined }) {
      const after = afterId === undefined ? undefined : keyOf(accountId, afterId)
      return (await reads.listRecords('model_quirks', { where: { accountId }, limit, after })).map(shown)
    },
    id: ({ vendor, model, firmwareVersion }) =>
      Buffer.from(JSON.stringify([vendor, model, firmwareVersion])).toString('base64url'),
    get: find,
    async delete({ reads, writes }, accountId, id) {
      const found = await find(reads, accountId, id)
      if (found) await writes.removeRecords('model_quirks', [found])
      return found !== undefined
    },
  },
})

const shown = (one: ModelQuirk): Shown => ({ ...one, quirk: QUIRK })

async function find(reads: Reads, accountId: string, id: string): Promise<Shown | undefined> {
  const key = keyOf(accountId, id)
  const found = key && (await reads.getRecord('model_quirks', key))
  return found && shown(found)
}

function keyOf(accountId: string, id: string) {
  const names = parsedJson(Buffer.from(id, 'base64url').toString())
  if (!Array.isArray(names) || names.length !== 3 || !names.every((name) => typeof name === 'string')) return undefined
  const [vendor = '', model = '', firmwareVersion = ''] = names
  return { accountId, vendor, model, firmwareVersion }
}
