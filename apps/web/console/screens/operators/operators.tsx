import { useLocation } from '../../../lib/router.ts'
import { OperatorList } from './operator-list.tsx'
import { OperatorPage } from './operator-page.tsx'

/** Those who run the service; one of them is named in the address. */
const Operators = () => {
  const id = Number(useLocation().query.id)
  return Number.isInteger(id) && id > 0 ? <OperatorPage key={id} id={id} /> : <OperatorList />
}

export default Operators
