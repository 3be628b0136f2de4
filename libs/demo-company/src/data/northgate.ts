/**
 * The content of the teams Northgate and Tiny Company: small, and with the same ids as Meridian Coatings has, under
 * other names. A row: type | id | parent | English | German | description | relations (name=id id; ...)
 */
export const northgateRows = `
processArea | p2p | | Northgate: provisioning | Northgate: Versorgung | How the cold stores of Northgate are supplied. |
processGroup | p2p.order-to-receipt | p2p | Call-off to dock | Abruf bis Rampe | Weekly call-offs by cold store. |
process | p2p.order-to-receipt.create-order | p2p.order-to-receipt | Place call-off | Abruf aufgeben | A call-off against the season contract. | uses=it.northgate-stock
activity | p2p.order-to-receipt.create-order.check-requisition | p2p.order-to-receipt.create-order | Look at dock plan | Rampenplan ansehen | Is a dock free on that day? |
activity | p2p.order-to-receipt.create-order.create-order | p2p.order-to-receipt.create-order | Write call-off | Abruf schreiben | Quantity by pallet and temperature zone. |
process | p2p.order-to-receipt.receive-goods | p2p.order-to-receipt | Dock the truck | Lkw andocken | Temperature first, papers second. | uses=it.northgate-dock
activity | p2p.order-to-receipt.receive-goods.measure-temperature | p2p.order-to-receipt.receive-goods | Measure temperature | Temperatur messen | Three points of each pallet. |
task | p2p.order-to-receipt.receive-goods.measure-temperature.note-value | p2p.order-to-receipt.receive-goods.measure-temperature | Note the values | Werte notieren | By hand-held device. |
processGroup | p2p.invoice-to-pay | p2p | Bills | Abrechnung | Self-billing by pallet. |
process | p2p.invoice-verification | p2p.invoice-to-pay | Settle pallets | Paletten abrechnen | Northgate writes the bill itself. | uses=it.northgate-stock
activity | p2p.invoice-verification.count-pallets | p2p.invoice-verification | Count pallets | Paletten zählen | Full, empty and broken ones. |
orgUnit | unit.northgate | | Northgate cold stores | Northgate Kühlhäuser | |
orgUnit | unit.docks | unit.northgate | Docks | Rampen | | head=user.edda-storm
orgUnit | unit.billing | unit.northgate | Billing | Abrechnung | | head=user.kurt-frost
roleGroup | roles.northgate | | Roles at Northgate | Rollen bei Northgate | |
role | role.dock-lead | roles.northgate | Dock lead | Rampenleitung | Decides which truck comes first. | executes=p2p.order-to-receipt.receive-goods
role | role.biller | roles.northgate | Biller | Abrechner | Settles pallets with growers. | executes=p2p.invoice-verification
riskCategory | risks.northgate | | Cold chain | Kühlkette | |
risk | risk.thaw | risks.northgate | Pallet thaws at the dock | Palette taut an der Rampe | Twenty minutes are enough in July. | threatens=p2p.order-to-receipt.receive-goods
control | control.dock-clock | risk.thaw | Clock at the dock | Uhr an der Rampe | Rings after ten minutes. | mitigates=risk.thaw
applicationGroup | it.northgate | | Systems at Northgate | Systeme bei Northgate | |
application | it.northgate-stock | it.northgate | Pallet ledger | Palettenbuch | Where each pallet stands. |
application | it.northgate-dock | it.northgate | Dock clock | Rampenuhr | Trucks and their minutes. |
folder | knowledge.northgate | | Handbook | Handbuch | |
document | document.docking | knowledge.northgate | Docking in five minutes | Andocken in fünf Minuten | One page, laminated. | describes=p2p.order-to-receipt.receive-goods
kpiGroup | kpis.northgate | | Northgate figures | Northgate-Kennzahlen | |
kpi | kpi.minutes-at-dock | kpis.northgate | Minutes at the dock | Minuten an der Rampe | From docking to door closed. | measures=p2p.order-to-receipt.receive-goods
userGroup | users.northgate | | Northgate people | Leute von Northgate | |
user | user.edda-storm | users.northgate | Edda Storm | | | memberOf=unit.docks; fills=role.dock-lead
user | user.kurt-frost | users.northgate | Kurt Frost | | | memberOf=unit.billing; fills=role.biller
user | user.lina-hail | users.northgate | Lina Hail | | | memberOf=unit.docks
`;

export const tinycoRows = `
processArea | tiny | | What we do | | Three people, one workshop. |
process | tiny.buy | tiny | Buy paint | | When the shelf is empty. |
process | tiny.pay | tiny | Pay the bill | | On Fridays. |
activity | tiny.pay.transfer | tiny.pay | Transfer the money | | Twice a month. |
userGroup | people | | People | | |
user | user.zoe | people | Zoe | | |
user | user.yan | people | Yan | | |
`;
