/** A campaign is drafted: its form, and before it is stored whom its waves reach (CONSOLE-N6). */
import type { FC } from 'hono/jsx'
import { CreateCampaignSchema, draftCampaign } from '../../application/firmware/campaigns.ts'
import { plannedRows } from '../../domain/firmware/plan.ts'
import type { Campaign, CampaignRow } from '../../domain/firmware/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { selectChargePoints } from '../../domain/selector.ts'
import { type Frame, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { Table, TextLink, Title } from '../../web/parts/table.tsx'
import type { MountConsolePages } from '../console-parts.ts'
import { checkedForm, Form, filledIn, typedNumber, typedWith } from '../kit/form.tsx'
import { figure, wordsIn } from '../kit/parts.tsx'
import { selectorFields, windowFields } from '../selector/choosing.tsx'
import { labelFaults, linesOf, selectedBy, typedSelector, typedWindow } from '../selector/selector-form.ts'
import { acting, actingPage, again, trying, type Visit } from '../visit.tsx'
import { CAMPAIGNS, onlineOf } from './campaign-page.tsx'

const NEW = 'new firmware campaign'
const MAX_IMAGES = 500

export const addCampaignForm: MountConsolePages = (page) => {
  const showNew = actingPage((visit) => formPage(visit))
  const create = acting(NEW, async (visit, form) => {
    const draft = await draftOf(visit, form)
    if ('refused' in draft) return refused(visit, form, draft)
    await visit.site.writes.putRecords('firmware_campaigns', [draft])
    return `${CAMPAIGNS}/${draft.id}`
  })
  page('/new-firmware-campaign', { GET: showNew, POST: create })
  page('/new-firmware-campaign/try', { POST: preview })
}

/** Only a preview; nothing is stored. */
const preview = trying(NEW, async (visit, form) => {
  const { site, accountId } = visit
  const draft = await draftOf(visit, form)
  if ('refused' in draft) return refused(visit, form, draft)
  const found = await selectChargePoints(site.reads, accountId, draft.selector)
  const online = await onlineOf(
    visit.site,
    found.map(({ id }) => id),
  )
  const rows = plannedRows(draft, found, online, draft.createdAt)
  const page = await formPage(visit, { form, faults: {} }, { rows, waves: draft.waves, online })
  return { page, status: 200 }
})

async function draftOf({ site, accountId }: Visit, form: URLSearchParams): Promise<Campaign | Refusal> {
  const percent = typedNumber(form, 'maxFailureRate')
  const waves = linesOf(form.get('waves'))
  const read = checkedForm(
    CreateCampaignSchema,
    {
      ...filledIn(form, ['firmwareId', 'location', 'version']),
      selector: typedSelector(form),
      certificate: form.get('certificate')?.replaceAll('\r\n', '\n').trim() || undefined,
      signature: form.get('signature')?.replaceAll(/\s/g, '') || undefined,
      window: typedWindow(form),
      waves: waves.length > 0 ? waves : undefined,
      maxFailureRate: percent === undefined ? undefined : percent / 100,
      soakMinutes: typedNumber(form, 'soakMinutes'),
      silenceMinutes: typedNumber(form, 'silenceMinutes'),
      onlyIdle: form.get('onlyIdle') === 'yes',
      retryOffline: form.get('retryOffline') === 'yes',
    },
    labelFaults(form),
  )
  return 'refused' in read ? read : draftCampaign(site, accountId, read)
}

async function refused(visit: Visit, form: URLSearchParams, refusal: Refusal) {
  return again(await formPage(visit, typedWith(form, refusal)), refusal)
}

interface CampaignPreview {
  readonly rows: readonly CampaignRow[]
  readonly waves: readonly string[]
  readonly online: ReadonlySet<string>
}

async function formPage(visit: Visit, typed: Typed = NOTHING_TYPED, shown?: CampaignPreview) {
  const { frame, site, accountId } = visit
  const words = wordsIn('firmware', frame)
  const path = `${frame.root}/new-firmware-campaign`
  const images = await site.reads.listRecords('firmware_images', { where: { accountId }, limit: MAX_IMAGES })
  const newest = images.toSorted((one, other) => other.createdAt - one.createdAt)
  const chosen = Object.fromEntries(newest.map(({ id, version, fileName }) => [id, `${version} · ${fileName}`]))
  const selected = typed.form.size === 0 ? undefined : await selectedBy(visit, typed.form)
  return (
    <Page frame={frame} title={words.makeCampaign} wide>
      <Title text={words.makeCampaign} up={[[`${frame.root}/firmware`, words.firmware]]} />
      <Form
        visit={visit}
        action={NEW}
        to={path}
        lead={words.makeHint}
        typed={typed}
        refused={words.notSaved}
        once
        trial={`${path}/try`}
        fields={[
          {
            legend: words.target,
            fields: [
              {
                name: 'firmwareId',
                label: words.image,
                options: { ...chosen, '': words.noImage },
                hint:
                  images.length === 0 ? (
                    <>
                      {words.noImages} <TextLink to={`${frame.root}/firmware`} text={words.upload} />
                    </>
                  ) : undefined,
              },
              { name: 'location', label: words.location, hint: words.locationHint },
              { name: 'version', label: words.version },
              { name: 'certificate', label: words.certificate, lines: true },
              { name: 'signature', label: words.signatureField, lines: true },
            ],
          },
          selectorFields(frame, typed, `${path}/try`, selected),
          {
            legend: words.waves,
            fields: [
              { name: 'waves', label: words.waves, value: '1\n10%\n100%', hint: words.wavesHint, lines: true },
              { name: 'maxFailureRate', label: words.maxFailureRate, value: '0', inputmode: 'decimal' },
              { name: 'soakMinutes', label: words.soakMinutes, value: '60', inputmode: 'numeric' },
              { name: 'silenceMinutes', label: words.silenceMinutes, value: '120', inputmode: 'numeric' },
              { name: 'onlyIdle', label: words.onlyIdle, tick: true },
              { name: 'retryOffline', label: words.retryOffline, value: 'yes', tick: true },
            ],
            more: (
              <>
                <div class="buttons">
                  <button type="submit" formaction={`${path}/try`} formnovalidate>
                    {words.previewButton}
                  </button>
                </div>
                <div data-tried="preview">{shown && <Preview frame={frame} preview={shown} />}</div>
              </>
            ),
          },
          windowFields(frame, site.timeZone),
        ]}
        submit={words.save}
        back={`${frame.root}/firmware`}
      />
    </Page>
  )
}

const Preview: FC<{ frame: Frame; preview: CampaignPreview }> = ({ frame, preview: { rows, waves, online } }) => {
  const words = wordsIn('firmware', frame)
  const skipped = (reason: string): number => rows.filter((row) => row.reason === reason).length
  const [outside, others] = [skipped('in no wave'), skipped('other model')]
  const reached = waves.map((reach, at) => ({ wave: at + 1, reach, in: rows.filter(({ wave }) => wave === at + 1) }))
  return (
    <section aria-labelledby="preview" role="status">
      <h2 id="preview">{words.preview}</h2>
      <Table<(typeof reached)[number]>
        plain
        rows={reached}
        columns={[
          { title: words.wave, cell: ({ wave }) => wave },
          { cell: ({ reach }) => reach },
          { title: words.reaches, kind: 'number', cell: (one) => one.in.length },
          figure(words.onlineOf, (one) => one.in.filter(({ chargePointId }) => online.has(chargePointId)).length),
        ]}
      />
      {outside > 0 && <p class="amber">{words.outside(outside)}</p>}
      {others > 0 && <p class="soft">{words.otherModels(others)}</p>}
    </section>
  )
}
