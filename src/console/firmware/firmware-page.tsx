import type { FC } from 'hono/jsx'
import type { Campaign, CampaignState, FirmwareImage } from '../../domain/firmware/records.ts'
import { Action } from '../../web/action.tsx'
import type { Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { type Columns, TableCard } from '../../web/parts/table.tsx'
import { Title } from '../../web/parts/title.tsx'
import { ago, ButtonLink, Chip, chip, cutOff, link } from '../kit/columns.tsx'
import { Form } from '../kit/form.tsx'
import { Paging } from '../kit/list.tsx'
import { firmwareTexts } from '../kit/texts.ts'
import { selectorText } from '../selector/choosing.tsx'
import { mayAct, type Visit } from '../visit.tsx'

const STYLES: Readonly<Record<CampaignState, string>> = {
  draft: '',
  running: 'good',
  paused: 'amber',
  stopped: 'bad',
  cancelled: '',
  done: 'good',
}

export const CampaignChip: FC<{ frame: Frame; state: CampaignState }> = ({ frame, state }) => (
  <Chip tone={STYLES[state]} text={firmwareTexts(frame).states[state]} />
)

export const UPLOAD = 'firmware upload'
export const DELETION = 'firmware deletion'

export const FirmwarePage: FC<{
  readonly visit: Visit
  readonly images: readonly FirmwareImage[]
  readonly nextImage: string | undefined
  readonly campaigns: readonly Campaign[]
  readonly nextCampaign: string | undefined
  readonly typed: Typed
}> = ({ visit, images, nextImage, campaigns, nextCampaign, typed }) => {
  const { frame } = visit
  const words = firmwareTexts(frame)
  const path = `${frame.root}/firmware`
  return (
    <Page frame={frame} title={words.firmware} wide live>
      <Title text={words.firmware}>
        {mayAct(visit) && (
          // Its token stands before the file: nothing is stored of a form that is not ours.
          <Form
            visit={visit}
            action={UPLOAD}
            to={path}
            title={words.upload}
            folded={typed.form.size > 0 ? 'open' : 'closed'}
            typed={typed}
            refused={words.notSaved}
            file
            data={{ 'data-upload': words.uploading, 'data-broken': words.uploadFailed }}
            fields={[
              { name: 'version', label: words.version, hint: words.versionHint, required: true },
              { name: 'models', label: words.models, hint: words.modelsHint },
              { name: 'certificate', label: words.certificate, hint: words.signatureHint, lines: true },
              { name: 'signature', label: words.signatureField, lines: true },
              { name: 'sha256', label: 'SHA-256', hint: words.sha256Hint },
            ]}
            submit={words.uploadButton}
          >
            <label class="field">
              <span>{words.file}</span>
              <input type="file" name="file" required />
            </label>
          </Form>
        )}
        {mayAct(visit) && <ButtonLink main to={`${frame.root}/new-firmware-campaign`} text={words.makeCampaign} />}
      </Title>
      <TableCard<Campaign>
        live="campaigns"
        heading={words.campaigns}
        oneLine
        rows={campaigns}
        empty={words.noCampaigns}
        columns={[
          link(words.campaign, ({ id, target }) => ({
            to: `${frame.root}/firmware-campaigns/${id}`,
            text: `${words.campaign} ${target.version}`,
          })),
          cutOff(words.whichStations, ({ selector }) => selectorText(frame, selector), { wideOnly: true }),
          { title: words.state, width: 136, cell: ({ state }) => <CampaignChip frame={frame} state={state} /> },
          { title: words.wave, width: 88, wideOnly: true, cell: ({ wave, waves }) => `${wave} / ${waves.length}` },
          ago(frame, words.changed, ({ updatedAt }) => updatedAt, { wideOnly: false }),
        ]}
        after={<Paging frame={frame} path={path} next={nextCampaign ? { campaign: nextCampaign } : undefined} />}
      />
      <TableCard<FirmwareImage>
        live="images"
        heading={words.images}
        oneLine
        rows={images}
        empty={words.noImages}
        columns={imageColumns(visit)}
        after={<Paging frame={frame} path={path} next={nextImage ? { image: nextImage } : undefined} />}
      />
    </Page>
  )
}

function imageColumns(visit: Visit): Columns<FirmwareImage> {
  const { frame, csrf } = visit
  const words = firmwareTexts(frame)
  return [
    { title: words.version, kind: 'name', text: ({ version }) => version },
    {
      title: words.models,
      wideOnly: true,
      whole: ({ models }) => models?.join(', '),
      text: ({ models }) => models?.join(', ') ?? words.allModels,
    },
    cutOff(words.file, ({ fileName }) => fileName, { kind: 'host' }),
    { title: words.size, kind: 'number', width: 120, wideOnly: true, cell: ({ bytes }) => words.bytes(bytes) },
    { title: 'SHA-256', kind: 'host', wideOnly: true, whole: ({ sha256 }) => sha256, cell: ({ sha256 }) => sha256 },
    chip(
      words.signature,
      ({ signature: by }) => (by === undefined ? ['amber', words.unsigned] : ['good', words.signed]),
      {
        width: 120,
      },
    ),
    ago(frame, words.created, ({ createdAt }) => createdAt),
    mayAct(visit) && {
      title: words.action,
      kind: 'acts',
      width: 104,
      cell: ({ id, version }) => (
        <Action
          to={`${frame.root}/firmware/${id}/delete`}
          csrf={csrf(DELETION)}
          style="danger"
          ask={words.deleteImageAsk}
          order={words.deleteOf(`${words.firmware} ${version}`)}
          text={words.delete}
        />
      ),
    },
  ]
}
