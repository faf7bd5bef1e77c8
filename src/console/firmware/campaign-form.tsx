import type { FC } from 'hono/jsx'
import type { Present } from '../../application/check-schema.ts'
import { type CampaignBody, CreateCampaignSchema } from '../../application/firmware/campaigns.ts'
import type { CampaignRow, FirmwareImage } from '../../domain/firmware/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { type Frame, Page, type Typed } from '../../web/entries.tsx'
import { Table, TextLink, Title } from '../../web/parts/table.tsx'
import { checkedForm, Form, typedNumber } from '../kit/form.tsx'
import { firmwareTexts } from '../kit/parts.tsx'
import { selectorFields, windowFields } from '../selector/choosing.tsx'
import { labelFaults, linesOf, typedSelector, typedWindow } from '../selector/selector-form.ts'
import type { Visit } from '../visit.tsx'

export function readCampaign(form: URLSearchParams): Present<CampaignBody> | Refusal {
  const text = (name: string): string | undefined => form.get(name)?.trim() || undefined
  const percent = typedNumber(form, 'maxFailureRate')
  const waves = linesOf(form.get('waves'))
  const body = {
    selector: typedSelector(form),
    firmwareId: text('firmwareId'),
    location: text('location'),
    version: text('version'),
    certificate: form.get('certificate')?.replaceAll('\r\n', '\n').trim() || undefined,
    signature: form.get('signature')?.replaceAll(/\s/g, '') || undefined,
    window: typedWindow(form),
    waves: waves.length > 0 ? waves : undefined,
    maxFailureRate: percent === undefined ? undefined : percent / 100,
    soakMinutes: typedNumber(form, 'soakMinutes'),
    silenceMinutes: typedNumber(form, 'silenceMinutes'),
    onlyIdle: form.get('onlyIdle') === 'yes',
    retryOffline: form.get('retryOffline') === 'yes',
  }
  return checkedForm(CreateCampaignSchema, body, labelFaults(form))
}

export interface CampaignPreview {
  readonly rows: readonly CampaignRow[]
  readonly waves: readonly string[]
  readonly online: ReadonlySet<string>
}

export const CampaignFormPage: FC<{
  visit: Visit
  action: string
  images: readonly FirmwareImage[]
  typed: Typed
  preview: CampaignPreview | undefined
  selected: readonly string[] | undefined
  timeZone: string
}> = ({ visit, action, images, typed, preview, selected, timeZone }) => {
  const { frame } = visit
  const words = firmwareTexts(frame)
  const path = `${frame.root}/new-firmware-campaign`
  const chosen = Object.fromEntries(images.map(({ id, version, fileName }) => [id, `${version} · ${fileName}`]))
  return (
    <Page frame={frame} title={words.makeCampaign} wide>
      <Title text={words.makeCampaign} up={[[`${frame.root}/firmware`, words.firmware]]} />
      <Form
        visit={visit}
        action={action}
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
                <div data-tried="preview">{preview && <Preview frame={frame} preview={preview} />}</div>
              </>
            ),
          },
          windowFields(frame, timeZone),
        ]}
        submit={words.save}
        back={`${frame.root}/firmware`}
      />
    </Page>
  )
}

const Preview: FC<{ frame: Frame; preview: CampaignPreview }> = ({ frame, preview: { rows, waves, online } }) => {
  const words = firmwareTexts(frame)
  const skipped = (reason: string): number => rows.filter((row) => row.reason === reason).length
  const [outside, others] = [skipped('in no wave'), skipped('other model')]
  const reached = waves.map((reach, at) => ({ wave: at + 1, reach, in: rows.filter(({ wave }) => wave === at + 1) }))
  return (
    <section aria-labelledby="preview" role="status">
      <h2 id="preview">{words.preview}</h2>
      <Table
        plain
        rows={reached}
        columns={[
          { title: words.wave, cell: ({ wave }) => wave },
          { cell: ({ reach }) => reach },
          { title: words.reaches, kind: 'number', cell: (one) => one.in.length },
          {
            title: words.onlineOf,
            kind: 'number',
            cell: (one) => one.in.filter(({ chargePointId }) => online.has(chargePointId)).length,
          },
        ]}
      />
      {outside > 0 && <p class="amber">{words.outside(outside)}</p>}
      {others > 0 && <p class="soft">{words.otherModels(others)}</p>}
    </section>
  )
}
