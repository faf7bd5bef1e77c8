import type { FC } from 'hono/jsx'
import { check, type Present } from '../../application/check-schema.ts'
import { CreateCampaignSchema } from '../../application/firmware/campaigns/schemas.ts'
import type { CampaignBody } from '../../application/firmware/campaigns.ts'
import type { CampaignRow, FirmwareImage } from '../../domain/firmware/records.ts'
import { Choice, Entry, Lines, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Headings } from '../../web/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { SelectorFields, WindowFields } from '../selector/choosing.tsx'
import {
  CHOOSING_FIELDS,
  type FormFault,
  labelFaults,
  linesOf,
  typedSelector,
  typedWindow,
  withoutAbsent,
} from '../selector/selector-form.ts'
import { firmwareTexts } from './texts.ts'

export const CAMPAIGN_FIELDS = [
  ...CHOOSING_FIELDS,
  'firmwareId',
  'location',
  'version',
  'certificate',
  'signature',
  'waves',
  'maxFailureRate',
  'soakMinutes',
  'silenceMinutes',
]

/** What was typed as the API takes it, or what is wrong with it. */
export function readCampaign(
  form: URLSearchParams,
): { readonly body: Present<CampaignBody> } | { readonly faults: readonly FormFault[] } {
  const text = (name: string): string | undefined => form.get(name)?.trim() || undefined
  const number = (name: string): number | undefined => {
    const typed = text(name)
    return typed === undefined ? undefined : Number(typed.replace(',', '.'))
  }
  const percent = number('maxFailureRate')
  const waves = linesOf(form.get('waves'))
  const checked = check(
    CreateCampaignSchema,
    withoutAbsent({
      selector: typedSelector(form),
      firmwareId: text('firmwareId'),
      location: text('location'),
      version: text('version'),
      certificate: form.get('certificate')?.replaceAll('\r\n', '\n').trim() || undefined,
      signature: form.get('signature')?.replaceAll(/\s/g, '') || undefined,
      window: typedWindow(form),
      waves: waves.length > 0 ? waves : undefined,
      maxFailureRate: percent === undefined ? undefined : percent / 100,
      soakMinutes: number('soakMinutes'),
      silenceMinutes: number('silenceMinutes'),
      onlyIdle: form.get('onlyIdle') === 'yes',
      retryOffline: form.get('retryOffline') === 'yes',
    }),
  )
  const faults = labelFaults(form)
  if (checked.ok && faults.length === 0) return { body: checked.value }
  return { faults: [...faults, ...(checked.ok ? [] : checked.faults)] }
}

export interface CampaignPreview {
  readonly rows: readonly CampaignRow[]
  readonly waves: readonly string[]
  readonly online: ReadonlySet<string>
}

/** A campaign is made as a draft; the same form shows before whom each wave would reach. */
export const CampaignFormPage: FC<{
  frame: Frame
  images: readonly FirmwareImage[]
  typed: Typed
  preview?: CampaignPreview
  csrf: string
  once: string
  timeZone: string
}> = ({ frame, images, typed, preview, csrf, once, timeZone }) => {
  const words = firmwareTexts(frame)
  const path = `${frame.root}/new-firmware-campaign`
  const fault = typed.faults.form
  const chosen = Object.fromEntries(images.map(({ id, version, fileName }) => [id, `${version} · ${fileName}`]))
  return (
    <Page frame={frame} title={words.makeCampaign} wide>
      <form class="card" method="post" action={path}>
        <h1>{words.makeCampaign}</h1>
        <p class="soft">{words.makeHint}</p>
        <Sealed csrf={csrf} once={once} />
        {fault !== undefined && (
          <Warning>
            {words.notSaved} {fault}
          </Warning>
        )}
        <fieldset>
          <legend>{words.target}</legend>
          <Choice label={words.image} name="firmwareId" typed={typed} options={{ ...chosen, '': words.noImage }} />
          <Entry label={words.location} name="location" typed={typed} hint={words.locationHint} />
          <Entry label={words.version} name="version" typed={typed} />
          <Lines label={words.certificate} name="certificate" typed={typed} />
          <Lines label={words.signatureField} name="signature" typed={typed} />
        </fieldset>
        <SelectorFields
          frame={frame}
          typed={typed}
          count={`${path}/try`}
          {...(preview && { selected: preview.rows.map(({ chargePointId }) => chargePointId) })}
        />
        <fieldset>
          <legend>{words.waves}</legend>
          <Lines label={words.waves} name="waves" typed={typed} value={'1\n10%\n100%'} hint={words.wavesHint} />
          <Entry label={words.maxFailureRate} name="maxFailureRate" typed={typed} value="0" inputmode="decimal" />
          <Entry label={words.soakMinutes} name="soakMinutes" typed={typed} value="60" inputmode="numeric" />
          <Entry label={words.silenceMinutes} name="silenceMinutes" typed={typed} value="120" inputmode="numeric" />
          <Tick label={words.onlyIdle} name="onlyIdle" typed={typed} ticked={false} />
          <Tick label={words.retryOffline} name="retryOffline" typed={typed} ticked />
          <div class="buttons">
            <button type="submit" formaction={`${path}/try`} formnovalidate>
              {words.previewButton}
            </button>
          </div>
          {preview && <Preview frame={frame} preview={preview} />}
        </fieldset>
        <WindowFields frame={frame} typed={typed} timeZone={timeZone} />
        <Submit>{words.save}</Submit>
      </form>
      <p>
        <a href={`${frame.root}/firmware`}>{words.cancel}</a>
      </p>
    </Page>
  )
}

const Tick: FC<{ label: string; name: string; typed: Typed; ticked: boolean }> = ({ label, name, typed, ticked }) => (
  <label class="choice">
    <input
      type="checkbox"
      name={name}
      value="yes"
      checked={typed.form.size > 0 ? typed.form.get(name) === 'yes' : ticked}
    />
    <span>{label}</span>
  </label>
)

const Preview: FC<{ frame: Frame; preview: CampaignPreview }> = ({ frame, preview: { rows, waves, online } }) => {
  const words = firmwareTexts(frame)
  const skipped = (reason: string): number => rows.filter((row) => row.reason === reason).length
  const [outside, others] = [skipped('in no wave'), skipped('other model')]
  return (
    <section aria-labelledby="preview" role="status">
      <h2 id="preview">{words.preview}</h2>
      <table>
        <Headings of={[words.wave, '', words.reaches, words.onlineOf]} />
        <tbody>
          {waves.map((reach, at) => {
            const members = rows.filter(({ wave }) => wave === at + 1)
            return (
              <tr>
                <td>{at + 1}</td>
                <td>{reach}</td>
                <td class="number">{members.length}</td>
                <td class="number">{members.filter(({ chargePointId }) => online.has(chargePointId)).length}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {outside > 0 && <p class="amber">{words.outside(outside)}</p>}
      {others > 0 && <p class="soft">{words.otherModels(others)}</p>}
    </section>
  )
}
