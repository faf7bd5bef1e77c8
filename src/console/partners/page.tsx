/** `/dashboard/partners`: roaming partners and what is exchanged with them (OCPI-A8), for administrators. */
import type { Invited, PartnerOrders } from '../../application/partners/orders.ts'
import type { OcpiParty, Partner } from '../../domain/partners/records.ts'
import { refuseFault } from '../../domain/refuse.ts'
import { NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Form, filledIn, typedWith } from '../kit/form.tsx'
import { Paging } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ago, chip, cutOff, link, partnerTexts } from '../kit/parts.tsx'
import { type Done, ordering, showing, type Visit } from '../visit.tsx'
import { ACTION, ofPartner, pathOf, showExchange, showPartner, stateChip } from './partner-page.tsx'

const LIST = '/partners'

export function partnerPages(orders: PartnerOrders): MountConsolePages {
  const onPartner = (order: (visit: Visit, partner: Partner) => Promise<Done>): { readonly POST: ConsolePage } => ({
    POST: ordering('administrator', ACTION, (visit) => ofPartner(visit, (partner) => order(visit, partner))),
  })
  return (page) => {
    page(LIST, { GET: showing('administrator', (visit) => listPage(visit)) })
    page(`${LIST}/party`, { POST: ordering('administrator', ACTION, setParty(orders)) })
    page(`${LIST}/invite`, { POST: ordering('administrator', ACTION, invite(orders)), names: 'name' })
    page(`${LIST}/register`, { POST: ordering('administrator', ACTION, register(orders)), names: 'name' })
    page(`${LIST}/:partnerId`, { GET: showing('administrator', showPartner) })
    page(
      `${LIST}/:partnerId/test`,
      onPartner(async (visit, partner) => {
        const tested = await orders.test(partner)
        const shown = await showPartner(visit, tested)
        return shown ? { page: shown, status: 200 } : LIST
      }),
    )
    page(
      `${LIST}/:partnerId/rotate`,
      onPartner(async (visit, partner) => {
        const done = await orders.rotate(partner)
        if ('refused' in done) return done
        return 'token' in done ? invitation(visit, done) : backTo(partner)
      }),
    )
    page(
      `${LIST}/:partnerId/suspend`,
      onPartner((_, partner) => changed(orders, partner, 'suspended')),
    )
    page(
      `${LIST}/:partnerId/resume`,
      onPartner((_, partner) => changed(orders, partner, 'registered')),
    )
    page(
      `${LIST}/:partnerId/delete`,
      onPartner(async (_, partner) => {
        await orders.remove(partner)
        return LIST
      }),
    )
    page(`${LIST}/:partnerId/exchanges/:exchangeId`, { GET: showing('administrator', showExchange) })
    page(
      `${LIST}/:partnerId/exchanges/:exchangeId/replay`,
      onPartner(async ({ site, context }, partner) => {
        const { accountId, partnerId } = partner
        const exchangeId = context.req.param('exchangeId') ?? ''
        const found = await site.reads.getRecord('partner_exchanges', { accountId, partnerId, exchangeId })
        const done = found && (await orders.replay(partner, found))
        return done && 'refused' in done ? done : backTo(partner)
      }),
    )
  }
}

function backTo({ partnerId }: Partner): string {
  return `${LIST}/${partnerId}`
}

async function changed(orders: PartnerOrders, partner: Partner, state: 'registered' | 'suspended'): Promise<Done> {
  const done = await orders.change(partner, { state })
  return 'refused' in done ? done : backTo(partner)
}

async function listPage(visit: Visit, which?: string, typed: Typed = NOTHING_TYPED) {
  const { site, context, frame, accountId } = visit
  const after = context.req.query('after')?.slice(0, 100)
  const [found, party] = await Promise.all([
    site.reads.listRecords('partners', {
      where: { accountId },
      limit: rowsAsked(frame),
      after: after === undefined ? undefined : { accountId, partnerId: after },
    }),
    site.reads.getRecord('ocpi_parties', { accountId }),
  ])
  const { rows, last } = pageOfRows(found, frame)
  const words = partnerTexts(frame)
  const typedIn = (form: string): Typed => (which === form ? typed : NOTHING_TYPED)
  const path = `${frame.root}${LIST}`
  return (
    <Page frame={frame} title={frame.texts.partners} wide live>
      <Title text={frame.texts.partners} />
      <div data-live="partners">
        <TableCard<Partner>
          label={frame.texts.partners}
          oneLine
          rows={rows}
          empty={words.none}
          columns={[
            link(words.name, (partner) => ({ to: pathOf(frame, partner), text: partner.name })),
            chip(words.state, (partner) => stateChip(words, partner), { width: 136 }),
            cutOff(words.parties, partiesOf),
            { title: words.version, width: 88, wideOnly: true, text: ({ version }) => version },
            ago(frame, words.lastContact, ({ lastContactAt }) => lastContactAt),
          ]}
        />
        <Paging frame={frame} path={path} later={after !== undefined} next={last?.partnerId} />
      </div>
      <div class="cols">
        {party && (
          <div>
            <Form
              visit={visit}
              action={ACTION}
              to={`${path}/invite`}
              title={words.invite}
              lead={words.inviteLead}
              submit={words.invite}
              typed={typedIn('invite')}
              fields={[{ name: 'name', label: words.name, maxlength: 200, required: true }]}
            />
            <Form
              visit={visit}
              action={ACTION}
              to={`${path}/register`}
              title={words.register}
              lead={words.registerLead}
              submit={words.register}
              typed={typedIn('register')}
              fields={[
                { name: 'name', label: words.name, maxlength: 200, required: true },
                { name: 'url', label: words.versionsUrl, type: 'url', maxlength: 2000, required: true },
                {
                  name: 'token',
                  label: words.tokenA,
                  maxlength: 64,
                  required: true,
                  secret: true,
                  autocomplete: 'off',
                },
              ]}
            />
          </div>
        )}
        <Form
          visit={visit}
          action={ACTION}
          to={`${path}/party`}
          title={words.party}
          lead={party ? undefined : words.partyLead}
          submit={words.save}
          typed={typedIn('party')}
          fields={partyFields(words, party)}
        />
      </div>
    </Page>
  )
}

function partyFields(words: ReturnType<typeof partnerTexts>, party: OcpiParty | undefined) {
  return [
    { name: 'countryCode', label: words.countryCode, value: party?.countryCode, maxlength: 2, required: true },
    { name: 'partyId', label: words.partyId, value: party?.partyId, maxlength: 3, required: true },
    {
      name: 'businessName',
      label: words.businessName,
      value: party?.businessDetails.name,
      maxlength: 100,
      required: true,
    },
  ]
}

export function partiesOf({ roles }: Partner): string {
  return roles.map(({ role, countryCode, partyId }) => `${countryCode}-${partyId} (${role})`).join(', ')
}

function setParty(orders: PartnerOrders) {
  return async (visit: Visit, form: URLSearchParams): Promise<Done> => {
    const {
      countryCode = '',
      partyId = '',
      businessName = '',
    } = filledIn(form, ['countryCode', 'partyId', 'businessName'])
    const fault = partyFault(countryCode, partyId, businessName)
    if (fault) return { page: await listPage(visit, 'party', typedWith(form, fault)), status: 400 }
    await orders.putParty({
      accountId: visit.accountId,
      countryCode: countryCode.toUpperCase(),
      partyId: partyId.toUpperCase(),
      businessDetails: { name: businessName },
    })
    return LIST
  }
}

function partyFault(countryCode: string, partyId: string, businessName: string) {
  if (!/^[A-Za-z]{2}$/.test(countryCode)) return refuseFault('/countryCode', 'invalid_value', 'must be two letters')
  if (!/^[A-Za-z0-9]{3}$/.test(partyId))
    return refuseFault('/partyId', 'invalid_value', 'must be three letters or digits')
  return businessName === '' ? refuseFault('/businessName', 'required', 'must not be empty') : undefined
}

function invite(orders: PartnerOrders) {
  return async (visit: Visit, form: URLSearchParams): Promise<Done> => {
    const { name } = filledIn(form, ['name'])
    const done = name === undefined ? nameMissing() : await orders.invite(visit.accountId, name, [])
    if (!('refused' in done)) return invitation(visit, done)
    return { page: await listPage(visit, 'invite', typedWith(form, done)), status: done.status }
  }
}

function register(orders: PartnerOrders) {
  return async (visit: Visit, form: URLSearchParams): Promise<Done> => {
    const { name, url = '', token = '' } = filledIn(form, ['name', 'url', 'token'])
    const done = name === undefined ? nameMissing() : await orders.register(visit.accountId, { name, url, token })
    if (!('refused' in done)) return backTo(done)
    return { page: await listPage(visit, 'register', typedWith(form, done)), status: done.status }
  }
}

function nameMissing() {
  return refuseFault('/name', 'required', 'must not be empty')
}

/** The only page that ever shows token A. */
function invitation({ frame, site }: Visit, { partner, token }: Invited): Done {
  const words = partnerTexts(frame)
  return {
    status: 200,
    page: (
      <Page frame={frame} title={words.invite}>
        <Title text={words.invite} up={[[pathOf(frame, partner), partner.name]]} />
        <p class="card" role="status">
          {words.tokenOnce} <code>{token}</code>
        </p>
        <p class="card">
          {words.ourVersions} <code>{`${site.baseUrl}/ocpi/versions`}</code>
        </p>
      </Page>
    ),
  }
}
