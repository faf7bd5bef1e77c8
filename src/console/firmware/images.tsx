/** CONSOLE-N5: images are uploaded by a form with a file, and deleted. */
import { deleteImage, type ImageContext, takeImage } from '../../application/firmware/images.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Files } from '../../files/store.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { pageOfRows, rowsAsked } from '../kit/page-of-rows.ts'
import { typedWith } from '../kit/typed.ts'
import { acting, again, receiving, type Shown, showing, type Visit } from '../visit.tsx'
import { DELETION, FirmwarePage, UPLOAD } from './firmware-page.tsx'

export const showFirmware: ConsolePage = showing('see', (visit) => firmwarePage(visit))

async function firmwarePage(visit: Visit, typed: Typed = NOTHING_TYPED) {
  const { site, context, accountId, frame } = visit
  const { image, campaign } = context.req.query()
  const page = (id: string | undefined) => ({
    where: { accountId },
    limit: rowsAsked(frame),
    ...(id !== undefined && { after: { accountId, id } }),
  })
  const images = pageOfRows(await site.reads.listRecords('firmware_images', page(image)), frame)
  const campaigns = pageOfRows(await site.reads.listRecords('firmware_campaigns', page(campaign)), frame)
  return (
    <FirmwarePage
      visit={visit}
      images={images.rows}
      nextImage={images.last?.id}
      campaigns={campaigns.rows}
      nextCampaign={campaigns.last?.id}
      typed={typed}
    />
  )
}

class Foreign extends Error {}

export function uploadImage(files: Files, { after }: OperatorContext): ConsolePage {
  return receiving(UPLOAD, async (visit, isOwn) => {
    const place = placeOf(files, after, visit)
    let typed = new URLSearchParams()
    try {
      // Its token comes before the file, and with it all that was typed.
      const image = await takeImage(place, { accountId: visit.accountId }, visit.context.req.raw, {
        mayKeep(before) {
          typed = new URLSearchParams(before.map(([name, value]): [string, string] => [name, value]))
          if (!isOwn(typed.get('csrf') ?? undefined)) throw new Foreign()
        },
        counts: (name, value) => name !== 'csrf' && value.trim() !== '',
      })
      return 'refused' in image ? refused(visit, typed, image) : '/firmware'
    } catch (error) {
      if (error instanceof Foreign) return 'foreign'
      throw error
    }
  })
}

async function refused(visit: Visit, typed: URLSearchParams, refusal: Refusal): Promise<Shown> {
  typed.delete('csrf')
  return again(await firmwarePage(visit, typedWith(typed, refusal)), refusal)
}

export function removeImage(files: Files, { after }: OperatorContext): ConsolePage {
  return acting(DELETION, async (visit) => {
    const id = visit.context.req.param('firmwareId') ?? ''
    return (await deleteImage(placeOf(files, after, visit), { accountId: visit.accountId }, id)) ?? '/firmware'
  })
}

function placeOf(files: Files, after: OperatorContext['after'], { site }: Visit): ImageContext {
  const { reads, writes, random, now } = site
  return { reads, writes, files, random, now, after }
}
