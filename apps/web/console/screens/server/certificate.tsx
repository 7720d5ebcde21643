import { useSignal } from '@preact/signals'
import { Dialog } from '../../../kit/dialog.tsx'
import { Form } from '../../../kit/form.tsx'
import { Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { CertificateDays } from '../../kit/certificate.tsx'
import { CertificateFields } from '../../kit/forms/pem.tsx'
import { write } from './seen.ts'
import type { ServerProps } from './server-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const Replace = ({ server, of }: ServerProps) => {
  const isOpen = useSignal(false)
  const { id, version, domain } = server
  const send = async ({ certificate = '', certificate_key = '' }: Readonly<Record<string, string>>) => {
    const body = { certificate, certificate_key, version }
    await write(of, () => api.changeServer({ params: { id }, body }))
    isOpen.value = false
    tell(say('replaced'))
  }
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say('replace')}
      </button>
      <Dialog isOpen={isOpen} title={say('replaceTitle', { domain })}>
        <p>{say('replaceText')}</p>
        <Form send={send} submit={say('replaceNow')}>
          <CertificateFields isRequired />
        </Form>
      </Dialog>
    </>
  )
}

export const CertificateCard = ({ server, of }: ServerProps) => (
  <Card title={say('certificate')}>
    <div>
      <CertificateDays at={server.certificate_expires_at} />
    </div>
    <p class="small">{say('certificateText', { domain: server.domain })}</p>
    {may('changeServer') && server.state !== 'retired' && (
      <div class="acts">
        <Replace server={server} of={of} />
      </div>
    )}
  </Card>
)
