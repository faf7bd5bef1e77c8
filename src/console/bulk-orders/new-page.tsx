/** The question before a bulk order: of how many, who cannot and why (BULK-B2, CONSOLE-A19). */
import type { FC } from 'hono/jsx'
import type { Chosen } from '../../application/bulk-orders/choose.ts'
import type { BulkWhat } from '../../domain/bulk-orders/records.ts'
import { Sealed, Warning } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Page } from '../../web/layout.tsx'
import { Table } from '../../web/parts/table.tsx'
import { station } from '../kit/columns.tsx'
import { asOptions, type Field, FieldList, type Fields, namesAsOptions } from '../kit/form.tsx'
import { Way } from '../kit/list.tsx'
import { bulkTexts } from '../kit/texts.ts'
import { translated } from '../kit/translated.ts'
import type { Visit } from '../visit.tsx'
import { BULK_KINDS, kindOf, MESSAGES, nameOfWhat } from './form.ts'

const MAX_NAMED = 50
export const NEW_ORDER = 'bulk order'

interface Props {
  readonly visit: Visit
  readonly form: URLSearchParams
  /** What is tried again as it was ordered: nothing of it is chosen anew. */
  readonly again: BulkWhat | undefined
  readonly total: number
  readonly chosen: readonly Chosen[] | undefined
  readonly fault: string | undefined
  readonly configurations: readonly string[]
  readonly images: Readonly<Record<string, string>>
}

export const NewOrderPage: FC<Props> = (props) => {
  const { visit, form, total, chosen, fault } = props
  const { frame } = visit
  const words = bulkTexts(frame)
  const title = words.title(
    props.again ? nameOfWhat(frame, props.again) : words.kinds[kindOf(form)],
    words.stationsOf(shownFigure(frame, total)),
  )
  const able = chosen?.filter(({ objection }) => objection === undefined).length ?? 0
  return (
    <Page frame={frame} title={title} narrow>
      <form class="card" method="post" action={`${frame.root}/new-bulk-order`}>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {fault !== undefined && <Warning>{fault}</Warning>}
        {total === 0 ? (
          <p>{words.noUser}</p>
        ) : (
          <>
            <Sealed csrf={visit.csrf(NEW_ORDER)} once={visit.once()} />
            {['id', 'all', 'again'].flatMap((name) =>
              form.getAll(name).map((value) => <input type="hidden" {...{ name, value }} />),
            )}
            <FieldList fields={fieldsOf(props)} typed={{ form, faults: {} }} />
            {chosen && <Preview {...props} chosen={chosen} able={able} />}
            <div class="actions">
              {able > 0 && (
                <button type="submit" class="danger">
                  <bdi>{buttonOf(props, words.stationsOf(shownFigure(frame, able)))}</bdi>
                </button>
              )}
              <button type="submit" formmethod="get" formnovalidate>
                {words.preview}
              </button>
              <a href={`${frame.root}/charge-points`}>{words.cancel}</a>
            </div>
          </>
        )}
      </form>
      <Way to={`${frame.root}/charge-points`} text={words.toStations} />
    </Page>
  )
}

function buttonOf({ visit: { frame }, again, form }: Props, stations: string): string {
  const words = bulkTexts(frame)
  return again ? words.title(nameOfWhat(frame, again), stations) : words.order[kindOf(form)](stations)
}

function fieldsOf({ visit, form, again, configurations, images }: Props): Fields {
  const words = bulkTexts(visit.frame)
  const wait: Field = { name: 'wait', label: words.wait, tick: true }
  if (again) return [wait]
  const connector: Field = { name: 'connectorId', label: words.connectorId, inputmode: 'numeric' }
  const evse: Field = { name: 'evseId', label: words.evseId, inputmode: 'numeric' }
  const kinds = Object.fromEntries(BULK_KINDS.map((kind) => [kind, words.kinds[kind]]))
  const none = Object.keys(images).length === 0
  const own = {
    reset: [{ name: 'type', label: words.resetType, options: { soft: words.soft, hard: words.hard } }],
    unlock: [evse, { ...connector, value: '1' }],
    availability: [
      { name: 'available', label: words.available, options: { false: words.no, true: words.yes } },
      evse,
      { ...connector, hint: words.wholeStation },
    ],
    trigger: [{ name: 'message', label: words.message, options: asOptions(MESSAGES) }],
    label: [
      { name: 'key', label: words.labelKey, required: true, maxlength: 63 },
      { name: 'value', label: words.labelValue, hint: words.labelHint, maxlength: 255 },
    ],
    log: [{ name: 'log', label: words.logType, options: { diagnostics: words.diagnostics, security: words.security } }],
    configuration: [
      {
        name: 'name',
        label: words.configuration,
        options: namesAsOptions(visit.frame, configurations),
        hint: configurations.length === 0 ? words.noneThere : words.configurationHint,
      },
    ],
    firmware: [{ name: 'firmwareId', label: words.image, options: images, hint: none ? words.noneThere : undefined }],
  } satisfies Readonly<Record<(typeof BULK_KINDS)[number], Fields>>
  const kind = kindOf(form)
  return [{ name: 'kind', label: words.what, options: kinds, value: kind }, ...own[kind], wait]
}

const Preview: FC<Props & { chosen: readonly Chosen[]; able: number }> = ({ visit: { frame }, chosen, able }) => {
  const words = bulkTexts(frame)
  const cannot = chosen.filter(({ objection }) => objection !== undefined)
  const more = cannot.length - MAX_NAMED
  return (
    <section aria-live="polite">
      <p>
        <strong>{words.can(shownFigure(frame, able))}</strong>
      </p>
      {cannot.length > 0 && (
        <>
          <p>{words.cannot(shownFigure(frame, cannot.length))}</p>
          <Table<Chosen>
            plain
            rows={cannot.slice(0, MAX_NAMED)}
            columns={[
              station(frame, words.station, ({ id }) => id),
              { title: words.reason, text: ({ objection = '' }) => translated(frame, objection) },
            ]}
          />
          {more > 0 && <p class="soft">{words.andMore(shownFigure(frame, more))}</p>}
        </>
      )}
    </section>
  )
}
