/** Locations to a file and from one (LOCATION-P3). */
import { Readable } from 'node:stream'
import { exportLocations } from '../../application/locations/export.ts'
import { importLocations } from '../../application/locations/import.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { FileFault, refusalOfFile } from '../../files/multipart.ts'
import { NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import { csvFile } from '../csv-file.ts'
import { Form, type FormFault } from '../kit/form.tsx'
import { wordsIn } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'
import { again, answering, ordering, type Shown, type Visit } from '../visit.tsx'

const LIST = '/locations'
/** More is mended in the file. */
const MAX_SHOWN = 200

export const downloadLocations = answering('see', async ({ site, accountId, context }) => {
  const format = context.req.query('format') === 'ocpi' ? 'ocpi' : 'csv'
  const chunks = exportLocations(site.reads, accountId, format, (one) => (one.isRemoved ? [] : [one]))
  if (format === 'csv') return csvFile(context, { name: 'locations.csv', chunks })
  return csvFile(context, { name: 'locations.json', chunks, type: 'application/json' })
})

interface Outcome {
  readonly typed?: Typed
  readonly said?: string
  readonly faults?: readonly FormFault[]
}

export function transferPage(visit: Visit, { typed = NOTHING_TYPED, said, faults = [] }: Outcome = {}) {
  const { frame } = visit
  const words = wordsIn('locations', frame)
  return (
    <Page frame={frame} title={words.importLocations}>
      <Title
        text={words.importLocations}
        up={[[frame.root + LIST, words.title]]}
        said={said !== undefined && <span role="status">{said}</span>}
      />
      <Form
        visit={visit}
        action={LIST}
        to={`${frame.root}/import/locations`}
        lead={words.importHint}
        typed={typed}
        fields={[
          { name: 'format', label: words.fileFormat, options: FORMATS },
          { name: 'file', label: words.file, type: 'file' },
          { name: 'text', label: words.fileText, lines: true },
        ]}
        submit={words.importLocations}
        file
      />
      {faults.length > 0 && (
        <TableCard<FormFault>
          heading={words.fileFault}
          rows={faults.slice(0, MAX_SHOWN)}
          columns={[
            { title: words.placeInFile, heads: true, text: ({ pointer }) => pointer.replace(/^\/(csv\/)?/, '') },
            { title: words.fileFault, text: ({ message }) => translated(frame, message) },
          ]}
        />
      )}
    </Page>
  )
}

const FORMATS = [
  ['csv', 'CSV'],
  ['ocpi', 'OCPI (JSON)'],
] as const

export const takeLocations = ordering(
  'operate',
  LIST,
  async (visit, form): Promise<Shown> => {
    const { site, accountId, frame } = visit
    const format = form.get('format') === 'ocpi' ? 'ocpi' : 'csv'
    const text = form.get('text') ?? ''
    const pieces = Readable.from([Buffer.from(form.get('file') || text)])
    const done = await importLocations(site, accountId, format, pieces).catch((error: unknown): Refusal => {
      if (error instanceof FileFault) return refusalOfFile(error)
      throw error
    })
    if (!('refused' in done)) {
      const { created, changed, unchanged } = done
      const said = wordsIn('locations', frame).imported(created, changed, unchanged)
      return { page: transferPage(visit, { said }), status: 200 }
    }
    const { errors: faults = [], detail } = done
    const sentence = faults.length > 0 ? wordsIn('locations', frame).fileFaults : detail
    const typed = { form: new URLSearchParams({ format, text }), faults: { form: sentence } }
    return again(transferPage(visit, { typed, faults }), done)
  },
  { files: true },
)
