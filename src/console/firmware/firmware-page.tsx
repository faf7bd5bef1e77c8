import type { FC } from 'hono/jsx'
import type { Campaign, CampaignState, FirmwareImage } from '../../domain/firmware/records.ts'
import { Action } from '../../web/action.tsx'
import { Entry, Lines, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings, TextCell } from '../../web/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { queryText } from '../paths.ts'
import { operatorTexts } from '../texts.ts'
import { firmwareTexts } from './texts.ts'

const STYLES: Readonly<Record<CampaignState, string>> = {
  draft: '',
  running: 'good',
  paused: 'amber',
  stopped: 'bad',
  cancelled: '',
  done: 'good',
}

export const CampaignChip: FC<{ frame: Frame; state: CampaignState }> = ({ frame, state }) => (
  <span class={`chip ${STYLES[state]}`}>{firmwareTexts(frame).states[state]}</span>
)

/** Images and campaigns of the account, and a form that brings another image. */
export const FirmwarePage: FC<{
  frame: Frame
  images: readonly FirmwareImage[]
  nextImage?: string
  campaigns: readonly Campaign[]
  nextCampaign?: string
  typed: Typed
  /** Absent for who may only look. */
  csrf?: { readonly upload: string; readonly delete: string }
}> = ({ frame, images, nextImage, campaigns, nextCampaign, typed, csrf }) => {
  const words = firmwareTexts(frame)
  const path = `${frame.root}/firmware`
  return (
    <Page frame={frame} title={words.firmware} wide live>
      <div class="heading">
        <h1>{words.firmware}</h1>
        {csrf && <a href={`${frame.root}/new-firmware-campaign`}>{words.makeCampaign}</a>}
      </div>
      <section class="card" data-live="campaigns" aria-labelledby="campaigns">
        <h2 id="campaigns">{words.campaigns}</h2>
        {campaigns.length === 0 ? <p class="soft">{words.noCampaigns}</p> : <Campaigns {...{ frame, campaigns }} />}
        <Next frame={frame} path={path} name="campaign" after={nextCampaign} />
      </section>
      <section class="card" data-live="images" aria-labelledby="images">
        <h2 id="images">{words.images}</h2>
        {images.length === 0 ? (
          <p class="soft">{words.noImages}</p>
        ) : (
          <Images frame={frame} images={images} {...(csrf && { csrf: csrf.delete })} />
        )}
        <Next frame={frame} path={path} name="image" after={nextImage} />
      </section>
      {csrf && <Upload frame={frame} typed={typed} csrf={csrf.upload} />}
    </Page>
  )
}

const Next: FC<{ frame: Frame; path: string; name: string; after: string | undefined }> = ({
  frame,
  path,
  name,
  after,
}) =>
  after === undefined ? null : (
    <p class="filters">
      <a href={path + queryText({ [name]: after })} rel="next">
        {operatorTexts(frame).next}
      </a>
    </p>
  )

const Campaigns: FC<{ frame: Frame; campaigns: readonly Campaign[] }> = ({ frame, campaigns }) => {
  const words = firmwareTexts(frame)
  return (
    <table class="cards">
      <Headings of={[words.campaign, words.version, words.state, words.wave, words.changed]} />
      <tbody>
        {campaigns.map(({ id, target, state, wave, waves, updatedAt }) => (
          <tr>
            <td class="host">
              <a href={`${frame.root}/firmware-campaigns/${id}`}>{id}</a>
            </td>
            <TextCell label={words.version} text={target.version} />
            <td data-label={words.state}>
              <CampaignChip frame={frame} state={state} />
            </td>
            <td data-label={words.wave}>
              {wave} / {waves.length}
            </td>
            <td class="time">{shownTime(updatedAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Images: FC<{ frame: Frame; images: readonly FirmwareImage[]; csrf?: string | undefined }> = ({
  frame,
  images,
  csrf,
}) => {
  const words = firmwareTexts(frame)
  return (
    <table class="cards">
      <Headings
        of={[words.version, words.models, words.file, words.size, 'SHA-256', words.signature, words.created, undefined]}
      />
      <tbody>
        {images.map(({ id, version, models, fileName, bytes, sha256, signature, createdAt }) => (
          <tr>
            <TextCell class="name" text={version} />
            <TextCell label={words.models} text={models?.join(', ') ?? words.allModels} />
            <TextCell class="host" label={words.file} text={fileName} />
            <td data-label={words.size}>{words.bytes(bytes)}</td>
            <td class="host" data-label="SHA-256">
              {sha256}
            </td>
            <td data-label={words.signature}>
              <span class={`chip ${signature === undefined ? 'amber' : 'good'}`}>
                {signature === undefined ? words.unsigned : words.signed}
              </span>
            </td>
            <td class="time">{shownTime(createdAt)}</td>
            <td>
              {csrf !== undefined && (
                <Action
                  to={`${frame.root}/firmware/${id}/delete`}
                  csrf={csrf}
                  style="danger"
                  ask={words.deleteImageAsk}
                >
                  {words.delete}
                </Action>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Its token stands before the file: nothing is stored of a form that is not ours. */
const Upload: FC<{ frame: Frame; typed: Typed; csrf: string }> = ({ frame, typed, csrf }) => {
  const words = firmwareTexts(frame)
  const fault = typed.faults.form
  return (
    <form
      class="card"
      method="post"
      action={`${frame.root}/firmware`}
      enctype="multipart/form-data"
      data-upload={words.uploading}
      data-broken={words.uploadFailed}
    >
      <h2>{words.upload}</h2>
      {fault !== undefined && (
        <Warning>
          {words.notSaved} {fault}
        </Warning>
      )}
      <Sealed csrf={csrf} />
      <Entry label={words.version} name="version" typed={typed} hint={words.versionHint} required />
      <Entry label={words.models} name="models" typed={typed} hint={words.modelsHint} />
      <Lines label={words.certificate} name="certificate" typed={typed} hint={words.signatureHint} />
      <Lines label={words.signatureField} name="signature" typed={typed} />
      <Entry label="SHA-256" name="sha256" typed={typed} hint={words.sha256Hint} />
      <label class="field">
        <span>{words.file}</span>
        <input type="file" name="file" required />
      </label>
      <Submit>{words.uploadButton}</Submit>
    </form>
  )
}
