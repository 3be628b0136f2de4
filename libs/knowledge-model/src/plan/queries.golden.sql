-- a page of a record, in the order of its identifier
-- record: "ITEM"
-- fields: ["ORDER_NO","ITEM_NO","AMOUNT"]
-- pageSize: 2
-- page: 1
select "ITEM"."order_no", "ITEM"."item_no", "ITEM"."net ""amount""" from "shop"."item" as "ITEM" order by 1, 2 limit $1::bigint offset $2::bigint;
-- ["2","2"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- a page behind every row
-- record: "ITEM"
-- fields: ["AMOUNT"]
-- page: 9007199254740991
-- pageSize: 5000
select "ITEM"."net ""amount""" from "shop"."item" as "ITEM" order by "ITEM"."order_no", "ITEM"."item_no" limit $1::bigint offset $2::bigint;
-- ["5000","9223372036854775807"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- filters, all of which hold
-- record: "ITEM"
-- fields: ["ORDER_NO","ITEM_NO"]
-- filterExpressions: ["AMOUNT gt 20 and not (PRODUCT eq 'Seal')","ORDER_NO in ('A', 'B', 'C')"]
select "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" where (("ITEM"."net ""amount""" > $1::numeric) and (("ITEM"."product" = $2::text) is not true) and ("ITEM"."order_no" = any($3::text[]))) order by 1, 2 limit $4::bigint offset $5::bigint;
-- ["20","Seal",["A","B","C"],"50","0"]
select count(*) from "shop"."item" as "ITEM" where (("ITEM"."net ""amount""" > $1::numeric) and (("ITEM"."product" = $2::text) is not true) and ("ITEM"."order_no" = any($3::text[])));
-- ["20","Seal",["A","B","C"]]

-- an order by what may be null, upwards
-- record: "ITEM"
-- fields: ["DUE","ORDER_NO"]
-- sort: "DUE"
select "ITEM"."due", "ITEM"."order_no" from "shop"."item" as "ITEM" order by 1 nulls first, 2, "ITEM"."item_no" limit $1::bigint offset $2::bigint;
-- ["50","0"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- an order by what may be null, downwards
-- record: "ITEM"
-- fields: ["DUE","ORDER_NO"]
-- sort: "-DUE"
select "ITEM"."due", "ITEM"."order_no" from "shop"."item" as "ITEM" order by 1 desc nulls last, 2 desc, "ITEM"."item_no" desc limit $1::bigint offset $2::bigint;
-- ["50","0"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- an order by a formula, and another by what is never null
-- record: "ITEM"
-- fields: ["SIZE","AMOUNT"]
-- sort: "SIZE,-AMOUNT"
-- filterExpressions: ["UNPLANNED eq false"]
select ((case when ("ITEM"."net ""amount""" >= $1::bigint) then $2::text else $3::text end) collate "pg_c_utf8"), "ITEM"."net ""amount""" from "shop"."item" as "ITEM" where (("ITEM"."product" is null) = $4::boolean) order by 1, 2 desc, "ITEM"."order_no" desc, "ITEM"."item_no" desc limit $5::bigint offset $6::bigint;
-- ["100","large","small",false,"50","0"]
select count(*) from "shop"."item" as "ITEM" where (("ITEM"."product" is null) = $1::boolean);
-- [false]

-- distinct rows
-- record: "ITEM"
-- fields: ["SIZE","PRODUCT"]
-- distinct: true
-- sort: "-PRODUCT"
select distinct ((case when ("ITEM"."net ""amount""" >= $1::bigint) then $2::text else $3::text end) collate "pg_c_utf8"), "ITEM"."product" from "shop"."item" as "ITEM" order by 2 desc nulls last, 1 desc limit $4::bigint offset $5::bigint;
-- ["100","large","small","50","0"]
select count(*) from (select distinct ((case when ("ITEM"."net ""amount""" >= $1::bigint) then $2::text else $3::text end) collate "pg_c_utf8"), "ITEM"."product" from "shop"."item" as "ITEM") as "rows";
-- ["100","large","small"]

-- distinct rows that are so by their identifier
-- record: "ORDER"
-- fields: ["FREIGHT","ORDER_NO"]
-- distinct: true
select "ORDER"."freight", "ORDER"."order_no" from "shop"."order" as "ORDER" order by 1 nulls first, 2 limit $1::bigint offset $2::bigint;
-- ["50","0"]
select count(*) from "shop"."order" as "ORDER";
-- []

-- a search for what a text contains
-- record: "ITEM"
-- fields: ["PRODUCT"]
-- search: {"term":"ED 100%","precision":100,"fields":["PRODUCT"]}
-- enable_seqscan = off
select "ITEM"."product" from "shop"."item" as "ITEM" where ("ITEM"."ctid" = any(array(select "found"."ctid" from "shop"."item" as "found" where ("found"."product" ilike $1::text)))) order by "ITEM"."order_no", "ITEM"."item_no" limit $2::bigint offset $3::bigint;
-- ["%ED 100\\%%","50","0"]
select count(*) from "shop"."item" as "ITEM" where ("ITEM"."ctid" = any(array(select "found"."ctid" from "shop"."item" as "found" where ("found"."product" ilike $1::text))));
-- ["%ED 100\\%%"]

-- a search for what is like a text, to the per cent
-- record: "ITEM"
-- fields: ["PRODUCT"]
-- search: {"term":"generator","precision":70,"fields":["PRODUCT"]}
-- pg_trgm.word_similarity_threshold = 0.699999
-- enable_seqscan = off
select "ITEM"."product" from "shop"."item" as "ITEM" where ((show_trgm($1::text) <> $2::text[]) and ("ITEM"."ctid" = any(array(select "found"."ctid" from "shop"."item" as "found" where ($3::text <% "found"."product"))))) order by "ITEM"."order_no", "ITEM"."item_no" limit $4::bigint offset $5::bigint;
-- ["generator",[],"generator","50","0"]
select count(*) from "shop"."item" as "ITEM" where ((show_trgm($1::text) <> $2::text[]) and ("ITEM"."ctid" = any(array(select "found"."ctid" from "shop"."item" as "found" where ($3::text <% "found"."product")))));
-- ["generator",[],"generator"]

-- a search in all texts of a record, one of which is a formula of few texts
-- record: "ITEM"
-- fields: ["ORDER_NO","PRODUCT"]
-- search: {"term":"larg","precision":60}
-- pg_trgm.word_similarity_threshold = 0.599999
-- enable_seqscan = off
select "ITEM"."order_no", "ITEM"."product" from "shop"."item" as "ITEM" where ((show_trgm($1::text) <> $2::text[]) and ("ITEM"."ctid" = any(array(select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."item" as "found" where ($3::text <% "found"."order_no") union all select "found"."ctid" from "shop"."item" as "found" where ($4::text <% "found"."product") union all select "found"."ctid" from "shop"."item" as "found" where ((exists (select from unnest($5::text[]) as "texts"("text") where ($6::text <% "texts"."text"))) and ($7::text <% (case when ("found"."net ""amount""" >= $8::bigint) then $9::text else $10::text end)))) as "rows")))) order by 1, "ITEM"."item_no" limit $11::bigint offset $12::bigint;
-- ["larg",[],"larg","larg",["large","small"],"larg","larg","100","large","small","50","0"]
select count(*) from "shop"."item" as "ITEM" where ((show_trgm($1::text) <> $2::text[]) and ("ITEM"."ctid" = any(array(select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."item" as "found" where ($3::text <% "found"."order_no") union all select "found"."ctid" from "shop"."item" as "found" where ($4::text <% "found"."product") union all select "found"."ctid" from "shop"."item" as "found" where ((exists (select from unnest($5::text[]) as "texts"("text") where ($6::text <% "texts"."text"))) and ($7::text <% (case when ("found"."net ""amount""" >= $8::bigint) then $9::text else $10::text end)))) as "rows"))));
-- ["larg",[],"larg","larg",["large","small"],"larg","larg","100","large","small"]

-- a search in all texts of several records
-- fields: ["ITEM.PRODUCT","CUSTOMER.NAME"]
-- search: {"term":"Rome","precision":80}
-- pg_trgm.word_similarity_threshold = 0.799999
-- enable_seqscan = off
select "ITEM"."product", "CUSTOMER"."name" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where ((show_trgm($1::text) <> $2::text[]) and ("ITEM"."ctid" = any(array(select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."item" as "found" where ($3::text <% "found"."order_no") union all select "found"."ctid" from "shop"."item" as "found" where ($4::text <% "found"."product") union all select "found"."ctid" from "shop"."item" as "found" where ((exists (select from unnest($5::text[]) as "texts"("text") where ($6::text <% "texts"."text"))) and ($7::text <% (case when ("found"."net ""amount""" >= $8::bigint) then $9::text else $10::text end))) union all select "ITEM"."ctid" from "shop"."item" as "ITEM" cross join "shop"."order" as "ORDER" cross join "shop"."customer" as "CUSTOMER" where (("ORDER"."order_no" = "ITEM"."order_no") and ("CUSTOMER"."id" = "ORDER"."customer") and ("CUSTOMER"."ctid" = any(array(select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."customer" as "found" where ($11::text <% "found"."name") union all select "found"."ctid" from "shop"."customer" as "found" where ($12::text <% "found"."city") union all select "found"."ctid" from "shop"."customer" as "found" where ($13::text <% coalesce(upper("found"."city"), $14::text))) as "rows"))))) as "rows"))) and (("ITEM"."ctid" in (select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."item" as "found" where ($15::text <% "found"."order_no") union all select "found"."ctid" from "shop"."item" as "found" where ($16::text <% "found"."product") union all select "found"."ctid" from "shop"."item" as "found" where ((exists (select from unnest($17::text[]) as "texts"("text") where ($18::text <% "texts"."text"))) and ($19::text <% (case when ("found"."net ""amount""" >= $20::bigint) then $21::text else $22::text end)))) as "rows")) or ("CUSTOMER"."ctid" in (select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."customer" as "found" where ($23::text <% "found"."name") union all select "found"."ctid" from "shop"."customer" as "found" where ($24::text <% "found"."city") union all select "found"."ctid" from "shop"."customer" as "found" where ($25::text <% coalesce(upper("found"."city"), $26::text))) as "rows")))) order by "ITEM"."order_no", "ITEM"."item_no" limit $27::bigint offset $28::bigint;
-- ["Rome",[],"Rome","Rome",["large","small"],"Rome","Rome","100","large","small","Rome","Rome","Rome","NOWHERE","Rome","Rome",["large","small"],"Rome","Rome","100","large","small","Rome","Rome","Rome","NOWHERE","50","0"]
select count(*) from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where ((show_trgm($1::text) <> $2::text[]) and ("ITEM"."ctid" = any(array(select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."item" as "found" where ($3::text <% "found"."order_no") union all select "found"."ctid" from "shop"."item" as "found" where ($4::text <% "found"."product") union all select "found"."ctid" from "shop"."item" as "found" where ((exists (select from unnest($5::text[]) as "texts"("text") where ($6::text <% "texts"."text"))) and ($7::text <% (case when ("found"."net ""amount""" >= $8::bigint) then $9::text else $10::text end))) union all select "ITEM"."ctid" from "shop"."item" as "ITEM" cross join "shop"."order" as "ORDER" cross join "shop"."customer" as "CUSTOMER" where (("ORDER"."order_no" = "ITEM"."order_no") and ("CUSTOMER"."id" = "ORDER"."customer") and ("CUSTOMER"."ctid" = any(array(select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."customer" as "found" where ($11::text <% "found"."name") union all select "found"."ctid" from "shop"."customer" as "found" where ($12::text <% "found"."city") union all select "found"."ctid" from "shop"."customer" as "found" where ($13::text <% coalesce(upper("found"."city"), $14::text))) as "rows"))))) as "rows"))) and (("ITEM"."ctid" in (select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."item" as "found" where ($15::text <% "found"."order_no") union all select "found"."ctid" from "shop"."item" as "found" where ($16::text <% "found"."product") union all select "found"."ctid" from "shop"."item" as "found" where ((exists (select from unnest($17::text[]) as "texts"("text") where ($18::text <% "texts"."text"))) and ($19::text <% (case when ("found"."net ""amount""" >= $20::bigint) then $21::text else $22::text end)))) as "rows")) or ("CUSTOMER"."ctid" in (select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."customer" as "found" where ($23::text <% "found"."name") union all select "found"."ctid" from "shop"."customer" as "found" where ($24::text <% "found"."city") union all select "found"."ctid" from "shop"."customer" as "found" where ($25::text <% coalesce(upper("found"."city"), $26::text))) as "rows"))));
-- ["Rome",[],"Rome","Rome",["large","small"],"Rome","Rome","100","large","small","Rome","Rome","Rome","NOWHERE","Rome","Rome",["large","small"],"Rome","Rome","100","large","small","Rome","Rome","Rome","NOWHERE"]

-- a search for anything
-- record: "CUSTOMER"
-- fields: ["NAME"]
-- search: {"term":"x","precision":0}
select "CUSTOMER"."name" from "shop"."customer" as "CUSTOMER" order by "CUSTOMER"."id" limit $1::bigint offset $2::bigint;
-- ["50","0"]
select count(*) from "shop"."customer" as "CUSTOMER";
-- []

-- fields of a record that is one row away, and of one behind it
-- fields: ["CUSTOMER.PLACE","ITEM.ORDER_NO","ITEM.AMOUNT"]
-- sort: "-CUSTOMER.PLACE"
select ((case when (not ("CUSTOMER"."id" is null)) then coalesce(upper("CUSTOMER"."city"), $1::text) end) collate "pg_c_utf8"), "ITEM"."order_no", "ITEM"."net ""amount""" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") order by 1 desc nulls last, 2 desc, "ITEM"."item_no" desc limit $2::bigint offset $3::bigint;
-- ["NOWHERE","50","0"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- rows of the record from which the others are one row away, in whatever order they are asked for
-- fields: ["ORDER.FREIGHT","DELIVERY.CARRIER","ITEM.AMOUNT"]
-- filterExpressions: ["DELIVERY.QTY gt 1"]
select "ORDER"."freight", "DELIVERY"."carrier", "ITEM"."net ""amount""" from "shop"."delivery" as "DELIVERY" left join "shop"."item" as "ITEM" on (("ITEM"."order_no" = "DELIVERY"."order_no") and ("ITEM"."item_no" = "DELIVERY"."item_no")) left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") where ("DELIVERY"."qty" > $1::bigint) order by "DELIVERY"."id" limit $2::bigint offset $3::bigint;
-- ["1","50","0"]
select count(*) from "shop"."delivery" as "DELIVERY" where ("DELIVERY"."qty" > $1::bigint);
-- ["1"]

-- rows that related ones multiply, by a key of two attributes and by a way of two steps
-- fields: ["ITEM.AMOUNT","DELIVERY.CARRIER","INVOICE.TOTAL"]
-- filterExpressions: ["DELIVERY.CARRIER ne 'rail' and INVOICE.PAID eq true"]
select "ITEM"."net ""amount""", "DELIVERY"."carrier", "INVOICE"."total" from "shop"."item" as "ITEM" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."invoice" as "INVOICE" on ("INVOICE"."order_no" = "ORDER"."order_no") where ((("DELIVERY"."carrier" = $1::text) is not true) and ("INVOICE"."paid" = $2::boolean)) order by "ITEM"."order_no", "ITEM"."item_no", "DELIVERY"."id" nulls first, "INVOICE"."id" nulls first limit $3::bigint offset $4::bigint;
-- ["rail",true,"50","0"]
select count(*) from "shop"."item" as "ITEM" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."invoice" as "INVOICE" on ("INVOICE"."order_no" = "ORDER"."order_no") where ((("DELIVERY"."carrier" = $1::text) is not true) and ("INVOICE"."paid" = $2::boolean));
-- ["rail",true]

-- rows that two records multiply
-- fields: ["ORDER.ORDER_NO","ITEM.AMOUNT","INVOICE.TOTAL"]
-- sort: "-INVOICE.TOTAL"
-- filterExpressions: ["ORDER.FREIGHT ne 99"]
select "ORDER"."order_no", "ITEM"."net ""amount""", "INVOICE"."total" from "shop"."order" as "ORDER" left join "shop"."item" as "ITEM" on ("ITEM"."order_no" = "ORDER"."order_no") left join "shop"."invoice" as "INVOICE" on ("INVOICE"."order_no" = "ORDER"."order_no") where (("ORDER"."freight" = $1::numeric) is not true) order by 3 desc nulls last, 1 desc, "ITEM"."order_no" desc nulls last, "ITEM"."item_no" desc nulls last, "INVOICE"."id" desc nulls last limit $2::bigint offset $3::bigint;
-- ["99","50","0"]
select count(*) from "shop"."order" as "ORDER" left join "shop"."item" as "ITEM" on ("ITEM"."order_no" = "ORDER"."order_no") left join "shop"."invoice" as "INVOICE" on ("INVOICE"."order_no" = "ORDER"."order_no") where (("ORDER"."freight" = $1::numeric) is not true);
-- ["99"]

-- a filter on a record that is one row away and not asked for
-- record: "ITEM"
-- fields: ["AMOUNT"]
-- filterExpressions: ["CUSTOMER.PLACE ne 'ROME'"]
select "ITEM"."net ""amount""" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (((case when (not ("CUSTOMER"."id" is null)) then coalesce(upper("CUSTOMER"."city"), $1::text) end) = $2::text) is not true) order by "ITEM"."order_no", "ITEM"."item_no" limit $3::bigint offset $4::bigint;
-- ["NOWHERE","ROME","50","0"]
select count(*) from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (((case when (not ("CUSTOMER"."id" is null)) then coalesce(upper("CUSTOMER"."city"), $1::text) end) = $2::text) is not true);
-- ["NOWHERE","ROME"]

-- a filter on related rows, one of which is enough
-- record: "ITEM"
-- fields: ["AMOUNT"]
-- filterExpressions: ["DELIVERY.CARRIER eq 'ship'","DELIVERY.QTY gt 3"]
select "ITEM"."net ""amount""" from "shop"."item" as "ITEM" where (exists (select from "shop"."delivery" as "DELIVERY" where (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and ("DELIVERY"."carrier" = $1::text) and ("DELIVERY"."qty" > $2::bigint)))) order by "ITEM"."order_no", "ITEM"."item_no" limit $3::bigint offset $4::bigint;
-- ["ship","3","50","0"]
select count(*) from "shop"."item" as "ITEM" where (exists (select from "shop"."delivery" as "DELIVERY" where (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and ("DELIVERY"."carrier" = $1::text) and ("DELIVERY"."qty" > $2::bigint))));
-- ["ship","3"]

-- a filter on related rows that holds without any
-- record: "ITEM"
-- fields: ["AMOUNT"]
-- filterExpressions: ["DELIVERY.CARRIER ne 'rail'"]
select "ITEM"."net ""amount""" from "shop"."item" as "ITEM" where (exists (select from (select) as "one row" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) where (("DELIVERY"."carrier" = $1::text) is not true))) order by "ITEM"."order_no", "ITEM"."item_no" limit $2::bigint offset $3::bigint;
-- ["rail","50","0"]
select count(*) from "shop"."item" as "ITEM" where (exists (select from (select) as "one row" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) where (("DELIVERY"."carrier" = $1::text) is not true)));
-- ["rail"]

-- a filter on related rows of two records, either of which is enough
-- record: "ORDER"
-- fields: ["ORDER_NO"]
-- filterExpressions: ["INVOICE.TOTAL gt 90 or ITEM.AMOUNT ge 200"]
select "ORDER"."order_no" from "shop"."order" as "ORDER" where (exists (select from (select) as "one row" left join "shop"."invoice" as "INVOICE" on ("INVOICE"."order_no" = "ORDER"."order_no") left join "shop"."item" as "ITEM" on ("ITEM"."order_no" = "ORDER"."order_no") where (("INVOICE"."total" > $1::numeric) or ("ITEM"."net ""amount""" >= $2::numeric)))) order by 1 limit $3::bigint offset $4::bigint;
-- ["90","200","50","0"]
select count(*) from "shop"."order" as "ORDER" where (exists (select from (select) as "one row" left join "shop"."invoice" as "INVOICE" on ("INVOICE"."order_no" = "ORDER"."order_no") left join "shop"."item" as "ITEM" on ("ITEM"."order_no" = "ORDER"."order_no") where (("INVOICE"."total" > $1::numeric) or ("ITEM"."net ""amount""" >= $2::numeric))));
-- ["90","200"]

-- a filter on the related rows of related rows
-- record: "CUSTOMER"
-- fields: ["NAME"]
-- filterExpressions: ["DELIVERY.CARRIER eq 'rail' and ITEM.AMOUNT eq 200"]
select "CUSTOMER"."name" from "shop"."customer" as "CUSTOMER" where (exists (select from "shop"."order" as "ORDER" left join "shop"."item" as "ITEM" on ("ITEM"."order_no" = "ORDER"."order_no") left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) where (("ORDER"."customer" = "CUSTOMER"."id") and ("DELIVERY"."carrier" = $1::text) and ("ITEM"."net ""amount""" = $2::numeric)))) order by "CUSTOMER"."id" limit $3::bigint offset $4::bigint;
-- ["rail","200","50","0"]
select count(*) from "shop"."customer" as "CUSTOMER" where (exists (select from "shop"."order" as "ORDER" left join "shop"."item" as "ITEM" on ("ITEM"."order_no" = "ORDER"."order_no") left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) where (("ORDER"."customer" = "CUSTOMER"."id") and ("DELIVERY"."carrier" = $1::text) and ("ITEM"."net ""amount""" = $2::numeric))));
-- ["rail","200"]

-- a filter of the model, and one on the rows that multiply
-- fields: ["ORDER.ORDER_NO","ITEM.AMOUNT"]
-- filterIds: ["DEAR","UNPAID"]
select "ORDER"."order_no", "ITEM"."net ""amount""" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") where (("ITEM"."net ""amount""" >= $1::numeric) and (exists (select from "shop"."invoice" as "INVOICE" where (("INVOICE"."order_no" = "ORDER"."order_no") and ("INVOICE"."paid" = $2::boolean))))) order by "ITEM"."order_no", "ITEM"."item_no" limit $3::bigint offset $4::bigint;
-- ["100",false,"50","0"]
select count(*) from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") where (("ITEM"."net ""amount""" >= $1::numeric) and (exists (select from "shop"."invoice" as "INVOICE" where (("INVOICE"."order_no" = "ORDER"."order_no") and ("INVOICE"."paid" = $2::boolean)))));
-- ["100",false]

-- rows under a policy
-- record: "CUSTOMER"
-- fields: ["NAME"]
select "CUSTOMER"."name" from "shop"."customer" as "CUSTOMER" where ("CUSTOMER"."city" = $1::text) order by "CUSTOMER"."id" limit $2::bigint offset $3::bigint;
-- ["Rome","50","0"]
select count(*) from "shop"."customer" as "CUSTOMER" where ("CUSTOMER"."city" = $1::text);
-- ["Rome"]

-- related rows under a policy: those that are hidden are not there
-- fields: ["ITEM.AMOUNT","ORDER.FREIGHT","CUSTOMER.PLACE"]
select "ITEM"."net ""amount""", "ORDER"."freight", (case when (not ("CUSTOMER"."id" is null)) then coalesce(upper("CUSTOMER"."city"), $1::text) end) from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on (("ORDER"."order_no" = "ITEM"."order_no") and (("ORDER"."freight" = $2::numeric) is not true)) left join "shop"."customer" as "CUSTOMER" on (("CUSTOMER"."id" = "ORDER"."customer") and ("CUSTOMER"."city" = $3::text)) order by "ITEM"."order_no", "ITEM"."item_no" limit $4::bigint offset $5::bigint;
-- ["NOWHERE","99","Rome","50","0"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- a filter on related rows under a policy
-- record: "CUSTOMER"
-- fields: ["NAME"]
-- filterExpressions: ["ORDER.FREIGHT eq null"]
select "CUSTOMER"."name" from "shop"."customer" as "CUSTOMER" where (("CUSTOMER"."city" = $1::text) and (exists (select from (select) as "one row" left join "shop"."order" as "ORDER" on (("ORDER"."customer" = "CUSTOMER"."id") and (("ORDER"."freight" = $2::numeric) is not true)) where ("ORDER"."freight" is null)))) order by "CUSTOMER"."id" limit $3::bigint offset $4::bigint;
-- ["Rome","99","50","0"]
select count(*) from "shop"."customer" as "CUSTOMER" where (("CUSTOMER"."city" = $1::text) and (exists (select from (select) as "one row" left join "shop"."order" as "ORDER" on (("ORDER"."customer" = "CUSTOMER"."id") and (("ORDER"."freight" = $2::numeric) is not true)) where ("ORDER"."freight" is null))));
-- ["Rome","99"]

-- a first page whose rows tell their place, behind one that is left out
-- record: "ITEM"
-- fields: ["AMOUNT"]
-- pageSize: 2
-- keyset: {"skip":1}
select "ITEM"."net ""amount""", "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" order by "ITEM"."order_no", "ITEM"."item_no" limit $1::bigint offset $2::bigint;
-- ["2","1"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- a page behind a row in the order of the identifier
-- record: "ITEM"
-- fields: ["AMOUNT"]
-- pageSize: 2
-- keyset: {"skip":1,"after":["B","1"]}
select "ITEM"."net ""amount""", "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" where (("ITEM"."order_no", "ITEM"."item_no") > ($1, $2)) order by "ITEM"."order_no", "ITEM"."item_no" limit $3::bigint;
-- ["B","1","2"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- a page behind a row, downwards by what is never null, with filters
-- record: "ITEM"
-- fields: ["ITEM_NO","AMOUNT"]
-- sort: "-AMOUNT"
-- filterExpressions: ["PRODUCT ne 'Seal'","DELIVERY.QTY eq null or DELIVERY.QTY lt 9"]
-- keyset: {"skip":0,"after":["1000","X","1"]}
select "ITEM"."item_no", "ITEM"."net ""amount""", "ITEM"."order_no" from "shop"."item" as "ITEM" where (((("ITEM"."product" = $1::text) is not true) and (exists (select from (select) as "one row" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) where (("DELIVERY"."qty" is null) or ("DELIVERY"."qty" < $2::bigint))))) and (("ITEM"."net ""amount""", "ITEM"."order_no", "ITEM"."item_no") < ($3, $4, $5))) order by 2 desc, "ITEM"."order_no" desc, 1 desc limit $6::bigint;
-- ["Seal","9","1000","X","1","50"]
select count(*) from "shop"."item" as "ITEM" where ((("ITEM"."product" = $1::text) is not true) and (exists (select from (select) as "one row" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) where (("DELIVERY"."qty" is null) or ("DELIVERY"."qty" < $2::bigint)))));
-- ["Seal","9"]

-- a page behind a row with a value, upwards by what may be null
-- record: "ITEM"
-- fields: ["DUE","ORDER_NO"]
-- sort: "DUE"
-- keyset: {"skip":0,"after":["2026-01-05","A","1"]}
select "ITEM"."due", "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" where (("ITEM"."due", "ITEM"."order_no", "ITEM"."item_no") > ($1, $2, $3)) order by 1 nulls first, 2, "ITEM"."item_no" limit $4::bigint;
-- ["2026-01-05","A","1","50"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- a page behind a row without a value, upwards: the others without, then those with one
-- record: "ITEM"
-- fields: ["DUE","ORDER_NO"]
-- sort: "DUE"
-- pageSize: 3
-- keyset: {"skip":0,"after":[null,"A","2"]}
select "sections"."c1", "sections"."c2", "sections"."c3" from ((select "ITEM"."due" as "c1", "ITEM"."order_no" as "c2", "ITEM"."item_no" as "c3" from "shop"."item" as "ITEM" where (("ITEM"."due" is null) and (("ITEM"."order_no", "ITEM"."item_no") > ($1, $2))) order by 1 nulls first, 2, "ITEM"."item_no" limit $3::bigint) union all (select "ITEM"."due" as "c1", "ITEM"."order_no" as "c2", "ITEM"."item_no" as "c3" from "shop"."item" as "ITEM" where (not ("ITEM"."due" is null)) order by 1 nulls first, 2, "ITEM"."item_no" limit $4::bigint)) as "sections" order by 1 nulls first, 2, 3 limit $5::bigint;
-- ["A","2","3","3","3"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- a page behind a row with a value, downwards: the others with one, then those without
-- record: "ITEM"
-- fields: ["DUE","ORDER_NO"]
-- sort: "-DUE"
-- keyset: {"skip":0,"after":["2026-01-05","A","1"]}
select "sections"."c1", "sections"."c2", "sections"."c3" from ((select "ITEM"."due" as "c1", "ITEM"."order_no" as "c2", "ITEM"."item_no" as "c3" from "shop"."item" as "ITEM" where (("ITEM"."due", "ITEM"."order_no", "ITEM"."item_no") < ($1, $2, $3)) order by 1 desc nulls last, 2 desc, "ITEM"."item_no" desc limit $4::bigint) union all (select "ITEM"."due" as "c1", "ITEM"."order_no" as "c2", "ITEM"."item_no" as "c3" from "shop"."item" as "ITEM" where ("ITEM"."due" is null) order by 1 desc nulls last, 2 desc, "ITEM"."item_no" desc limit $5::bigint)) as "sections" order by 1 desc nulls last, 2 desc, 3 desc limit $6::bigint;
-- ["2026-01-05","A","1","50","50","50"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- a page behind a row without a value, downwards
-- record: "ITEM"
-- fields: ["DUE","ORDER_NO"]
-- sort: "-DUE"
-- keyset: {"skip":0,"after":[null,"D","1"]}
select "ITEM"."due", "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" where (("ITEM"."due" is null) and (("ITEM"."order_no", "ITEM"."item_no") < ($1, $2))) order by 1 desc nulls last, 2 desc, "ITEM"."item_no" desc limit $3::bigint;
-- ["D","1","50"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- a page behind a row in both directions, by a formula and by what may be null
-- record: "ITEM"
-- fields: ["SIZE","PRODUCT","ORDER_NO"]
-- sort: "SIZE,-PRODUCT"
-- keyset: {"skip":0,"after":["large","Pump","A","1"]}
select ((case when ("ITEM"."net ""amount""" >= $1::bigint) then $2::text else $3::text end) collate "pg_c_utf8"), "ITEM"."product", "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" where ((((case when ("ITEM"."net ""amount""" >= $4::bigint) then $5::text else $6::text end) collate "pg_c_utf8") >= $7) and ((((case when ("ITEM"."net ""amount""" >= $8::bigint) then $9::text else $10::text end) collate "pg_c_utf8") > $11) or ((("ITEM"."product", "ITEM"."order_no", "ITEM"."item_no") < ($12, $13, $14)) or ("ITEM"."product" is null)))) order by 1, 2 desc nulls last, 3 desc, "ITEM"."item_no" desc limit $15::bigint;
-- ["100","large","small","100","large","small","large","100","large","small","large","Pump","A","1","50"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- a page behind a moment, under a policy
-- record: "ORDER"
-- fields: ["MADE","ORDER_NO"]
-- sort: "-MADE"
-- keyset: {"skip":0,"after":["2026-02-01 00:00:00.000001+00","C"]}
select "ORDER"."made", "ORDER"."order_no" from "shop"."order" as "ORDER" where ((("ORDER"."freight" = $1::numeric) is not true) and (("ORDER"."made", "ORDER"."order_no") < ($2, $3))) order by 1 desc, 2 desc limit $4::bigint;
-- ["99","2026-02-01 00:00:00.000001+00","C","50"]
select count(*) from "shop"."order" as "ORDER" where (("ORDER"."freight" = $1::numeric) is not true);
-- ["99"]

-- fields of a related record beside those of a record, under a policy: a hidden row is as none
-- record: "ITEM"
-- fields: ["ORDER_NO","AMOUNT"]
-- relatedFields: ["ORDER.FREIGHT","ORDER.MADE"]
select "ITEM"."order_no", "ITEM"."net ""amount""", "ORDER"."freight", "ORDER"."made", "ORDER"."order_no" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on (("ORDER"."order_no" = "ITEM"."order_no") and (("ORDER"."freight" = $1::numeric) is not true)) order by 1, "ITEM"."item_no" limit $2::bigint offset $3::bigint;
-- ["99","50","0"]
select count(*) from "shop"."item" as "ITEM";
-- []

-- fields of a related record by a key of two attributes, with a filter on the record behind it, on a page behind a row
-- record: "DELIVERY"
-- fields: ["CARRIER"]
-- relatedFields: ["ITEM.SIZE","ITEM.ITEM_NO"]
-- sort: "-CARRIER"
-- filterExpressions: ["ORDER.FREIGHT ne 0"]
-- keyset: {"skip":0,"after":["ship","2"]}
select "DELIVERY"."carrier", (case when (not ("ITEM"."order_no" is null)) then (case when ("ITEM"."net ""amount""" >= $1::bigint) then $2::text else $3::text end) end), "ITEM"."item_no", "ITEM"."order_no", "DELIVERY"."id" from "shop"."delivery" as "DELIVERY" left join "shop"."item" as "ITEM" on (("ITEM"."order_no" = "DELIVERY"."order_no") and ("ITEM"."item_no" = "DELIVERY"."item_no")) left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") where ((("ORDER"."freight" = $4::numeric) is not true) and (("DELIVERY"."carrier", "DELIVERY"."id") < ($5, $6))) order by 1 desc, "DELIVERY"."id" desc limit $7::bigint;
-- ["100","large","small","0","ship","2","50"]
select count(*) from "shop"."delivery" as "DELIVERY" left join "shop"."item" as "ITEM" on (("ITEM"."order_no" = "DELIVERY"."order_no") and ("ITEM"."item_no" = "DELIVERY"."item_no")) left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") where (("ORDER"."freight" = $1::numeric) is not true);
-- ["0"]

-- fields of a related record on a page of two ranges: those of an attribute that is its key already
-- record: "ORDER"
-- fields: ["FREIGHT"]
-- relatedFields: ["CUSTOMER.ID","CUSTOMER.PLACE"]
-- sort: "FREIGHT"
-- keyset: {"skip":0,"after":[null,"B"]}
select "sections"."c1", "sections"."c2", "sections"."c3", "sections"."c4" from ((select "ORDER"."freight" as "c1", "CUSTOMER"."id" as "c2", (case when (not ("CUSTOMER"."id" is null)) then coalesce(upper("CUSTOMER"."city"), $1::text) end) as "c3", "ORDER"."order_no" as "c4" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("ORDER"."freight" is null) and ("ORDER"."order_no" > $2)) order by 1 nulls first, "ORDER"."order_no" limit $3::bigint) union all (select "ORDER"."freight" as "c1", "CUSTOMER"."id" as "c2", (case when (not ("CUSTOMER"."id" is null)) then coalesce(upper("CUSTOMER"."city"), $4::text) end) as "c3", "ORDER"."order_no" as "c4" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (not ("ORDER"."freight" is null)) order by 1 nulls first, "ORDER"."order_no" limit $5::bigint)) as "sections" order by 1 nulls first, 4 limit $6::bigint;
-- ["NOWHERE","B","50","NOWHERE","50","50"]
select count(*) from "shop"."order" as "ORDER";
-- []

-- arithmetic and functions of one record
-- record: "ITEM"
-- fields: ["ORDER_NO","ITEM_NO"]
-- parsedFilters: [{"parameter":"$filter","text":"round(AMOUNT divby 3) mod 2 eq 1 and not (indexof(PRODUCT,'e') ge ITEM_NO)"}]
select "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" where ((((round((("ITEM"."net ""amount""" / $1::bigint))::numeric))::numeric % ($2::bigint)::numeric) = $3::numeric) and ((((strpos("ITEM"."product", $4::text) - $5::integer) >= "ITEM"."item_no") = $6::boolean) is not true)) order by 1, 2 limit $7::bigint offset $8::bigint;
-- ["3","2","1","e","1",true,"50","0"]
select count(*) from "shop"."item" as "ITEM" where ((((round((("ITEM"."net ""amount""" / $1::bigint))::numeric))::numeric % ($2::bigint)::numeric) = $3::numeric) and ((((strpos("ITEM"."product", $4::text) - $5::integer) >= "ITEM"."item_no") = $6::boolean) is not true));
-- ["3","2","1","e","1",true]

-- a comparison of fields of two records, of which one may not be there
-- record: "ITEM"
-- fields: ["ORDER_NO","ITEM_NO"]
-- parsedFilters: [{"parameter":"$filter","text":"AMOUNT div 10 eq ORDER/FREIGHT"}]
select "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") where ((("ITEM"."net ""amount""" / $1::bigint) = "ORDER"."freight") = $2::boolean) order by 1, 2 limit $3::bigint offset $4::bigint;
-- ["10",true,"50","0"]
select count(*) from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") where ((("ITEM"."net ""amount""" / $1::bigint) = "ORDER"."freight") = $2::boolean);
-- ["10",true]

-- a comparison of fields of two records, under a policy: what is hidden is null
-- record: "ITEM"
-- fields: ["ORDER_NO","ITEM_NO"]
-- parsedFilters: [{"parameter":"$filter","text":"ORDER/FREIGHT ne AMOUNT sub AMOUNT"}]
select "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on (("ORDER"."order_no" = "ITEM"."order_no") and (("ORDER"."freight" = $1::numeric) is not true)) where (case when (("ORDER"."order_no" is null) or (("ORDER"."freight" = $2::numeric) is not true)) then ((("ORDER"."freight" = ("ITEM"."net ""amount""" - "ITEM"."net ""amount""")) = $3::boolean) is not true) else false end) order by 1, 2 limit $4::bigint offset $5::bigint;
-- ["99","99",true,"50","0"]
select count(*) from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on (("ORDER"."order_no" = "ITEM"."order_no") and (("ORDER"."freight" = $1::numeric) is not true)) where (case when (("ORDER"."order_no" is null) or (("ORDER"."freight" = $2::numeric) is not true)) then ((("ORDER"."freight" = ("ITEM"."net ""amount""" - "ITEM"."net ""amount""")) = $3::boolean) is not true) else false end);
-- ["99","99",true]

-- what is computed from several related rows, of which one is enough
-- record: "ORDER"
-- fields: ["ORDER_NO"]
-- parsedFilters: [{"parameter":"$filter","text":"ITEM/AMOUNT mul 2 gt 100 and concat(ORDER_NO,'!') ne 'X!'"}]
select "ORDER"."order_no" from "shop"."order" as "ORDER" where ((("ORDER"."order_no" || $1::text) <> $2::text) and (exists (select from "shop"."item" as "ITEM" where (("ITEM"."order_no" = "ORDER"."order_no") and (("ITEM"."net ""amount""" * $3::bigint) > $4::numeric))))) order by 1 limit $5::bigint offset $6::bigint;
-- ["!","X!","2","100","50","0"]
select count(*) from "shop"."order" as "ORDER" where ((("ORDER"."order_no" || $1::text) <> $2::text) and (exists (select from "shop"."item" as "ITEM" where (("ITEM"."order_no" = "ORDER"."order_no") and (("ITEM"."net ""amount""" * $3::bigint) > $4::numeric)))));
-- ["!","X!","2","100"]

-- any related row, beside a condition on what may be another one
-- record: "ORDER"
-- fields: ["ORDER_NO"]
-- parsedFilters: [{"parameter":"$filter","text":"ITEM/any(x:x/SIZE eq 'small' and x/ITEM_NO mod 2 eq 0) and ITEM.AMOUNT gt 99"}]
select "ORDER"."order_no" from "shop"."order" as "ORDER" where ((exists (select from "shop"."item" as "#1" where (("#1"."order_no" = "ORDER"."order_no") and (((case when ("#1"."net ""amount""" >= $1::bigint) then $2::text else $3::text end) = $4::text) and (("#1"."item_no" % $5::bigint) = $6::bigint))))) and (exists (select from "shop"."item" as "ITEM" where (("ITEM"."order_no" = "ORDER"."order_no") and ("ITEM"."net ""amount""" > $7::numeric))))) order by 1 limit $8::bigint offset $9::bigint;
-- ["100","large","small","small","2","0","99","50","0"]
select count(*) from "shop"."order" as "ORDER" where ((exists (select from "shop"."item" as "#1" where (("#1"."order_no" = "ORDER"."order_no") and (((case when ("#1"."net ""amount""" >= $1::bigint) then $2::text else $3::text end) = $4::text) and (("#1"."item_no" % $5::bigint) = $6::bigint))))) and (exists (select from "shop"."item" as "ITEM" where (("ITEM"."order_no" = "ORDER"."order_no") and ("ITEM"."net ""amount""" > $7::numeric)))));
-- ["100","large","small","small","2","0","99"]

-- no related row at all, and each of them: null fulfils nothing
-- record: "CUSTOMER"
-- fields: ["ID"]
-- parsedFilters: [{"parameter":"$filter","text":"ORDER/all(o:o/FREIGHT gt 1) or not ORDER/any()"}]
select "CUSTOMER"."id" from "shop"."customer" as "CUSTOMER" where ((not (exists (select from "shop"."order" as "#1" where (("#1"."customer" = "CUSTOMER"."id") and (("#1"."freight" > $1::numeric) is not true))))) or (not (exists (select from "shop"."order" as "#1" where ("#1"."customer" = "CUSTOMER"."id"))))) order by 1 limit $2::bigint offset $3::bigint;
-- ["1","50","0"]
select count(*) from "shop"."customer" as "CUSTOMER" where ((not (exists (select from "shop"."order" as "#1" where (("#1"."customer" = "CUSTOMER"."id") and (("#1"."freight" > $1::numeric) is not true))))) or (not (exists (select from "shop"."order" as "#1" where ("#1"."customer" = "CUSTOMER"."id")))));
-- ["1"]

-- related rows of related rows, compared with them
-- record: "CUSTOMER"
-- fields: ["ID"]
-- parsedFilters: [{"parameter":"$filter","text":"ORDER/any(o:o/ITEM/any(i:i/AMOUNT gt o/FREIGHT mul 10) and o/CUSTOMER eq ID)"}]
select "CUSTOMER"."id" from "shop"."customer" as "CUSTOMER" where (exists (select from "shop"."order" as "#1" where (("#1"."customer" = "CUSTOMER"."id") and ((exists (select from "shop"."item" as "#2" where (("#2"."order_no" = "#1"."order_no") and (("#2"."net ""amount""" > ("#1"."freight" * $1::bigint)) = $2::boolean)))) and (("#1"."customer" = "CUSTOMER"."id") = $3::boolean))))) order by 1 limit $4::bigint offset $5::bigint;
-- ["10",true,true,"50","0"]
select count(*) from "shop"."customer" as "CUSTOMER" where (exists (select from "shop"."order" as "#1" where (("#1"."customer" = "CUSTOMER"."id") and ((exists (select from "shop"."item" as "#2" where (("#2"."order_no" = "#1"."order_no") and (("#2"."net ""amount""" > ("#1"."freight" * $1::bigint)) = $2::boolean)))) and (("#1"."customer" = "CUSTOMER"."id") = $3::boolean)))));
-- ["10",true,true]

-- what is one row away from a related row, by a formula
-- record: "ITEM"
-- fields: ["ORDER_NO","ITEM_NO"]
-- parsedFilters: [{"parameter":"$filter","text":"DELIVERY/any(d:d/ITEM/SIZE eq 'large' and d/QTY gt 1)"}]
select "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" where (exists (select from "shop"."delivery" as "#1" where (("#1"."order_no" = "ITEM"."order_no") and ("#1"."item_no" = "ITEM"."item_no") and (((case when (not ((select "#1 ITEM"."order_no" from "shop"."item" as "#1 ITEM" where (("#1 ITEM"."order_no" = "#1"."order_no") and ("#1 ITEM"."item_no" = "#1"."item_no")) limit $1::bigint) is null)) then (case when ((select "#1 ITEM"."net ""amount""" from "shop"."item" as "#1 ITEM" where (("#1 ITEM"."order_no" = "#1"."order_no") and ("#1 ITEM"."item_no" = "#1"."item_no")) limit $2::bigint) >= $3::bigint) then $4::text else $5::text end) end) = $6::text) and ("#1"."qty" > $7::bigint))))) order by 1, 2 limit $8::bigint offset $9::bigint;
-- ["1","1","100","large","small","large","1","50","0"]
select count(*) from "shop"."item" as "ITEM" where (exists (select from "shop"."delivery" as "#1" where (("#1"."order_no" = "ITEM"."order_no") and ("#1"."item_no" = "ITEM"."item_no") and (((case when (not ((select "#1 ITEM"."order_no" from "shop"."item" as "#1 ITEM" where (("#1 ITEM"."order_no" = "#1"."order_no") and ("#1 ITEM"."item_no" = "#1"."item_no")) limit $1::bigint) is null)) then (case when ((select "#1 ITEM"."net ""amount""" from "shop"."item" as "#1 ITEM" where (("#1 ITEM"."order_no" = "#1"."order_no") and ("#1 ITEM"."item_no" = "#1"."item_no")) limit $2::bigint) >= $3::bigint) then $4::text else $5::text end) end) = $6::text) and ("#1"."qty" > $7::bigint)))));
-- ["1","1","100","large","small","large","1"]

-- any related row, under policies
-- record: "CUSTOMER"
-- fields: ["ID"]
-- parsedFilters: [{"parameter":"$filter","text":"ORDER/any(o:o/FREIGHT eq 10 or o/FREIGHT eq 99)"}]
select "CUSTOMER"."id" from "shop"."customer" as "CUSTOMER" where (("CUSTOMER"."city" = $1::text) and (exists (select from "shop"."order" as "#1" where (("#1"."customer" = "CUSTOMER"."id") and (("#1"."freight" = $2::numeric) is not true) and (("#1"."freight" = $3::numeric) or ("#1"."freight" = $4::numeric)))))) order by 1 limit $5::bigint offset $6::bigint;
-- ["Rome","99","10","99","50","0"]
select count(*) from "shop"."customer" as "CUSTOMER" where (("CUSTOMER"."city" = $1::text) and (exists (select from "shop"."order" as "#1" where (("#1"."customer" = "CUSTOMER"."id") and (("#1"."freight" = $2::numeric) is not true) and (("#1"."freight" = $3::numeric) or ("#1"."freight" = $4::numeric))))));
-- ["Rome","99","10","99"]

-- a KPI of everything
-- kpis: ["SALES","ITEMS"]
-- plan_cache_mode = force_custom_plan
select sum("ITEM"."net ""amount"""), count(*) from "shop"."item" as "ITEM" limit $1::bigint offset $2::bigint;
-- ["50","0"]
select $1::bigint;
-- ["1"]

-- KPIs of no rows
-- kpis: ["SALES","ITEMS","PER_ORDER","ORDERS"]
-- filterExpressions: ["ORDER.ORDER_NO eq 'none'"]
-- plan_cache_mode = force_custom_plan
select max("grains"."a1"), coalesce(max("grains"."a2"), $1::bigint), (max("grains"."a1") / nullif(coalesce(max("grains"."a3"), $2::bigint), $3::bigint)), coalesce(max("grains"."a3"), $4::bigint) from (select sum("ITEM"."net ""amount""") as "a1", count(*) as "a2", null as "a3" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") where ("ORDER"."order_no" = $5::text) union all select null as "a1", null as "a2", count(*) as "a3" from "shop"."order" as "ORDER" where ("ORDER"."order_no" = $6::text)) as "grains" limit $7::bigint offset $8::bigint;
-- ["0","0","0","0","none","none","50","0"]
select $1::bigint;
-- ["1"]

-- KPIs over one record by a field of it
-- fields: ["ITEM.PRODUCT"]
-- kpis: ["SALES","ITEMS","LARGE"]
-- plan_cache_mode = force_custom_plan
select "ITEM"."product", sum("ITEM"."net ""amount"""), count(*), (($1::text || $2::text) || (count(*) filter (where ((case when ("ITEM"."net ""amount""" >= $3::bigint) then $4::text else $5::text end) = $6::text)))::text) from "shop"."item" as "ITEM" group by 1 order by 1 nulls first limit $7::bigint offset $8::bigint;
-- ["large",": ","100","large","small","large","50","0"]
select count(*) from (select "ITEM"."product" from "shop"."item" as "ITEM" group by 1) as "groups";
-- []

-- KPIs by a field two rows away, in their own order
-- fields: ["CUSTOMER.PLACE"]
-- kpis: ["SALES","SHARE"]
-- sort: "-SALES"
-- plan_cache_mode = force_custom_plan
select ((case when (not ("CUSTOMER"."id" is null)) then coalesce(upper("CUSTOMER"."city"), $1::text) end) collate "pg_c_utf8"), sum("ITEM"."net ""amount"""), (sum("ITEM"."net ""amount""") filter (where ("ORDER"."freight" > $2::bigint)) / nullif(sum("ITEM"."net ""amount"""), $3::bigint)) from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1 order by 2 desc nulls last, 1 desc nulls last limit $4::bigint offset $5::bigint;
-- ["NOWHERE","0","0","50","0"]
select count(*) from (select ((case when (not ("CUSTOMER"."id" is null)) then coalesce(upper("CUSTOMER"."city"), $1::text) end) collate "pg_c_utf8") from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1) as "groups";
-- ["NOWHERE"]

-- a page of groups
-- fields: ["ITEM.PRODUCT"]
-- kpis: ["SALES"]
-- sort: "SALES"
-- page: 1
-- pageSize: 1
-- plan_cache_mode = force_custom_plan
select "ITEM"."product", sum("ITEM"."net ""amount""") from "shop"."item" as "ITEM" group by 1 order by 2 nulls first, 1 nulls first limit $1::bigint offset $2::bigint;
-- ["1","1"]
select count(*) from (select "ITEM"."product" from "shop"."item" as "ITEM" group by 1) as "groups";
-- []

-- KPIs of two records, none of which a join multiplies
-- kpis: ["SALES","FREIGHT","PER_ORDER"]
-- plan_cache_mode = force_custom_plan
select max("grains"."a1"), max("grains"."a2"), (max("grains"."a1") / nullif(coalesce(max("grains"."a3"), $1::bigint), $2::bigint)) from (select sum("ITEM"."net ""amount""") as "a1", null as "a2", null as "a3" from "shop"."item" as "ITEM" union all select null as "a1", sum("ORDER"."freight") as "a2", count(*) as "a3" from "shop"."order" as "ORDER") as "grains" limit $3::bigint offset $4::bigint;
-- ["0","0","50","0"]
select $1::bigint;
-- ["1"]

-- KPIs of three records, which meet where their groups are equal
-- fields: ["CUSTOMER.CITY"]
-- kpis: ["UNBILLED","ITEMS"]
-- sort: "-UNBILLED"
-- plan_cache_mode = force_custom_plan
select "grains"."k1", ((max("grains"."a1") + coalesce(max("grains"."a3"), $1::bigint)) - coalesce(max("grains"."a4"), $2::bigint)), coalesce(max("grains"."a2"), $3::bigint) from (select "grains"."k1" as "k1", "grains"."a1" as "a1", "grains"."a2" as "a2", "grains"."a3" as "a3", null as "a4" from (select "CUSTOMER"."city" as "k1", sum("ITEM"."net ""amount""") as "a1", count(*) as "a2", null as "a3" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1 union all select "CUSTOMER"."city" as "k1", null as "a1", null as "a2", sum("ORDER"."freight") as "a3" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1) as "grains" union all select "CUSTOMER"."city" as "k1", null as "a1", null as "a2", null as "a3", sum("INVOICE"."total") as "a4" from "shop"."invoice" as "INVOICE" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "INVOICE"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1) as "grains" group by 1 order by 2 desc nulls last, 1 desc nulls last limit $4::bigint offset $5::bigint;
-- ["0","0","0","50","0"]
select count(*) from (select "grains"."k1" from (select "grains"."k1" as "k1" from (select "CUSTOMER"."city" as "k1" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1 union all select "CUSTOMER"."city" as "k1" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1) as "grains" union all select "CUSTOMER"."city" as "k1" from "shop"."invoice" as "INVOICE" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "INVOICE"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1) as "grains" group by 1) as "groups";
-- []

-- a KPI by a field of which a row has several: it counts once in each group, not once for each related row
-- fields: ["DELIVERY.CARRIER"]
-- kpis: ["SALES","ITEMS","SHARE"]
-- plan_cache_mode = force_custom_plan
select "rows"."k1", sum("rows"."c1"), count(*), (sum("rows"."c1") filter (where ("rows"."c2" > $1::bigint)) / nullif(sum("rows"."c1"), $2::bigint)) from (select distinct "ITEM"."order_no" as "i1", "ITEM"."item_no" as "i2", "DELIVERY"."carrier" as "k1", "ITEM"."net ""amount""" as "c1", "ORDER"."freight" as "c2" from "shop"."item" as "ITEM" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no")) as "rows" group by 1 order by 1 nulls first limit $3::bigint offset $4::bigint;
-- ["0","0","50","0"]
select count(*) from (select "DELIVERY"."carrier" from "shop"."item" as "ITEM" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) group by 1) as "groups";
-- []

-- a KPI under a filter on related rows that would double the amount
-- kpis: ["SALES","ITEMS"]
-- filterExpressions: ["DELIVERY.CARRIER eq 'ship'"]
-- plan_cache_mode = force_custom_plan
select sum("ITEM"."net ""amount"""), count(*) from "shop"."item" as "ITEM" where (exists (select from "shop"."delivery" as "DELIVERY" where (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and ("DELIVERY"."carrier" = $1::text)))) limit $2::bigint offset $3::bigint;
-- ["ship","50","0"]
select $1::bigint;
-- ["1"]

-- a KPI of a record above the one whose fields are filtered and asked for
-- fields: ["ITEM.PRODUCT"]
-- kpis: ["FREIGHT","ORDERS"]
-- filterExpressions: ["ITEM.AMOUNT gt 60"]
-- plan_cache_mode = force_custom_plan
select "rows"."k1", sum("rows"."c1"), count(*) from (select distinct "ORDER"."order_no" as "i1", "ITEM"."product" as "k1", "ORDER"."freight" as "c1" from "shop"."order" as "ORDER" left join "shop"."item" as "ITEM" on ("ITEM"."order_no" = "ORDER"."order_no") where ("ITEM"."net ""amount""" > $1::numeric)) as "rows" group by 1 order by 1 nulls first limit $2::bigint offset $3::bigint;
-- ["60","50","0"]
select count(*) from (select "ITEM"."product" from "shop"."order" as "ORDER" left join "shop"."item" as "ITEM" on ("ITEM"."order_no" = "ORDER"."order_no") where ("ITEM"."net ""amount""" > $1::numeric) group by 1) as "groups";
-- ["60"]

-- a KPI in a filter
-- fields: ["ITEM.PRODUCT"]
-- kpis: ["SALES"]
-- filterExpressions: ["SALES gt 100","ITEM.AMOUNT lt 1000"]
-- plan_cache_mode = force_custom_plan
select "ITEM"."product", sum("ITEM"."net ""amount""") from "shop"."item" as "ITEM" where ("ITEM"."net ""amount""" < $1::numeric) group by 1 having (sum("ITEM"."net ""amount""") > $2::numeric) order by 1 nulls first limit $3::bigint offset $4::bigint;
-- ["1000","100","50","0"]
select count(*) from (select "ITEM"."product" from "shop"."item" as "ITEM" where ("ITEM"."net ""amount""" < $1::numeric) group by 1 having (sum("ITEM"."net ""amount""") > $2::numeric)) as "groups";
-- ["1000","100"]

-- a KPI in a filter that is not asked for, of another record
-- fields: ["CUSTOMER.NAME"]
-- kpis: ["SALES"]
-- filterExpressions: ["ORDERS eq 2"]
-- plan_cache_mode = force_custom_plan
select "grains"."k1", max("grains"."a1") from (select "CUSTOMER"."name" as "k1", sum("ITEM"."net ""amount""") as "a1", null as "a2" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1 union all select "CUSTOMER"."name" as "k1", null as "a1", count(*) as "a2" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1) as "grains" group by 1 having (coalesce(max("grains"."a2"), $1::bigint) = $2::bigint) order by 1 nulls first limit $3::bigint offset $4::bigint;
-- ["0","2","50","0"]
select count(*) from (select "grains"."k1" from (select "CUSTOMER"."name" as "k1", null as "a1" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1 union all select "CUSTOMER"."name" as "k1", count(*) as "a1" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1) as "grains" group by 1 having (coalesce(max("grains"."a1"), $1::bigint) = $2::bigint)) as "groups";
-- ["0","2"]

-- a KPI in a filter, or else a field
-- fields: ["CUSTOMER.PLACE"]
-- filterExpressions: ["SALES gt 1000 or CUSTOMER.PLACE eq 'NOWHERE'"]
-- plan_cache_mode = force_custom_plan
select "grains"."k1" from (select ((case when (not ("CUSTOMER"."id" is null)) then coalesce(upper("CUSTOMER"."city"), $1::text) end) collate "pg_c_utf8") as "k1", sum("ITEM"."net ""amount""") as "a1" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1) as "grains" group by 1 having ((max("grains"."a1") > $2::numeric) or ("grains"."k1" = $3::text)) order by 1 nulls first limit $4::bigint offset $5::bigint;
-- ["NOWHERE","1000","NOWHERE","50","0"]
select count(*) from (select "grains"."k1" from (select ((case when (not ("CUSTOMER"."id" is null)) then coalesce(upper("CUSTOMER"."city"), $1::text) end) collate "pg_c_utf8") as "k1", sum("ITEM"."net ""amount""") as "a1" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") group by 1) as "grains" group by 1 having ((max("grains"."a1") > $2::numeric) or ("grains"."k1" = $3::text))) as "groups";
-- ["NOWHERE","1000","NOWHERE"]

-- a KPI in a filter that takes the only row away
-- kpis: ["SALES"]
-- filterExpressions: ["ITEMS gt 6"]
-- plan_cache_mode = force_custom_plan
select sum("ITEM"."net ""amount""") from "shop"."item" as "ITEM" having (count(*) > $1::bigint) limit $2::bigint offset $3::bigint;
-- ["6","50","0"]
select count(*) from (select from "shop"."item" as "ITEM" having (count(*) > $1::bigint)) as "groups";
-- ["6"]

-- a KPI of another record in a filter, without fields
-- kpis: ["SALES"]
-- filterExpressions: ["ORDERS eq 5"]
-- plan_cache_mode = force_custom_plan
select max("grains"."a1") from (select sum("ITEM"."net ""amount""") as "a1", null as "a2" from "shop"."item" as "ITEM" union all select null as "a1", count(*) as "a2" from "shop"."order" as "ORDER") as "grains" having (coalesce(max("grains"."a2"), $1::bigint) = $2::bigint) limit $3::bigint offset $4::bigint;
-- ["0","5","50","0"]
select count(*) from (select from (select count(*) as "a1" from "shop"."order" as "ORDER") as "grains" having (coalesce(max("grains"."a1"), $1::bigint) = $2::bigint)) as "groups";
-- ["0","5"]

-- a KPI of texts, in their order
-- fields: ["ORDER.ORDER_NO"]
-- kpis: ["LAST_CITY","ORDERS"]
-- sort: "-LAST_CITY"
-- pageSize: 2
-- plan_cache_mode = force_custom_plan
select "grains"."k1", (max("grains"."a1") collate "pg_c_utf8"), coalesce(max("grains"."a2"), $1::bigint) from (select "rows"."k1" as "k1", max(coalesce(upper("rows"."c1"), $2::text)) as "a1", null as "a2" from (select distinct "CUSTOMER"."id" as "i1", "ORDER"."order_no" as "k1", "CUSTOMER"."city" as "c1" from "shop"."customer" as "CUSTOMER" left join "shop"."order" as "ORDER" on ("ORDER"."customer" = "CUSTOMER"."id")) as "rows" group by 1 union all select "ORDER"."order_no" as "k1", null as "a1", count(*) as "a2" from "shop"."order" as "ORDER" group by 1) as "grains" group by 1 order by 2 desc nulls last, 1 desc nulls last limit $3::bigint offset $4::bigint;
-- ["0","NOWHERE","2","0"]
select count(*) from (select "grains"."k1" from (select "ORDER"."order_no" as "k1" from "shop"."customer" as "CUSTOMER" left join "shop"."order" as "ORDER" on ("ORDER"."customer" = "CUSTOMER"."id") group by 1 union all select "ORDER"."order_no" as "k1" from "shop"."order" as "ORDER" group by 1) as "grains" group by 1) as "groups";
-- []

-- a KPI under policies, of its record and of a joined one
-- fields: ["CUSTOMER.NAME"]
-- kpis: ["SALES","FREIGHT","ORDERS"]
-- plan_cache_mode = force_custom_plan
select "grains"."k1", max("grains"."a1"), max("grains"."a2"), coalesce(max("grains"."a3"), $1::bigint) from (select "CUSTOMER"."name" as "k1", sum("ITEM"."net ""amount""") as "a1", null as "a2", null as "a3" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on (("ORDER"."order_no" = "ITEM"."order_no") and (("ORDER"."freight" = $2::numeric) is not true)) left join "shop"."customer" as "CUSTOMER" on (("CUSTOMER"."id" = "ORDER"."customer") and ("CUSTOMER"."city" = $3::text)) group by 1 union all select "CUSTOMER"."name" as "k1", null as "a1", sum("ORDER"."freight") as "a2", count(*) as "a3" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on (("CUSTOMER"."id" = "ORDER"."customer") and ("CUSTOMER"."city" = $4::text)) where (("ORDER"."freight" = $5::numeric) is not true) group by 1) as "grains" group by 1 order by 1 nulls first limit $6::bigint offset $7::bigint;
-- ["0","99","Rome","Rome","99","50","0"]
select count(*) from (select "grains"."k1" from (select "CUSTOMER"."name" as "k1" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on (("ORDER"."order_no" = "ITEM"."order_no") and (("ORDER"."freight" = $1::numeric) is not true)) left join "shop"."customer" as "CUSTOMER" on (("CUSTOMER"."id" = "ORDER"."customer") and ("CUSTOMER"."city" = $2::text)) group by 1 union all select "CUSTOMER"."name" as "k1" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on (("CUSTOMER"."id" = "ORDER"."customer") and ("CUSTOMER"."city" = $3::text)) where (("ORDER"."freight" = $4::numeric) is not true) group by 1) as "grains" group by 1) as "groups";
-- ["99","Rome","Rome","99"]

-- a KPI under a search and a filter of the model
-- kpis: ["ITEMS","SALES"]
-- fields: ["ORDER.ORDER_NO"]
-- filterIds: ["UNPAID"]
-- search: {"term":"a","precision":100,"fields":["CUSTOMER.NAME"]}
-- plan_cache_mode = force_custom_plan
select "ORDER"."order_no", count(*), sum("ITEM"."net ""amount""") from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."name" ilike $1::text) and (exists (select from "shop"."invoice" as "INVOICE" where (("INVOICE"."order_no" = "ORDER"."order_no") and ("INVOICE"."paid" = $2::boolean))))) group by 1 order by 1 nulls first limit $3::bigint offset $4::bigint;
-- ["%a%",false,"50","0"]
select count(*) from (select "ORDER"."order_no" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."name" ilike $1::text) and (exists (select from "shop"."invoice" as "INVOICE" where (("INVOICE"."order_no" = "ORDER"."order_no") and ("INVOICE"."paid" = $2::boolean))))) group by 1) as "groups";
-- ["%a%",false]

-- KPIs under a search in related rows of their own
-- kpis: ["ITEMS","ORDERS"]
-- search: {"term":"rail","precision":100,"fields":["DELIVERY.CARRIER","CUSTOMER.NAME"]}
-- plan_cache_mode = force_custom_plan
-- enable_seqscan = off
select coalesce(max("grains"."a1"), $1::bigint), coalesce(max("grains"."a2"), $2::bigint) from (select count(*) as "a1", null as "a2" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("ITEM"."ctid" = any(array(select distinct "rows"."ctid" from (select "ITEM"."ctid" from "shop"."item" as "ITEM" cross join "shop"."delivery" as "DELIVERY" where (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and ("DELIVERY"."ctid" = any(array(select "found"."ctid" from "shop"."delivery" as "found" where ("found"."carrier" ilike $3::text))))) union all select "ITEM"."ctid" from "shop"."item" as "ITEM" cross join "shop"."order" as "ORDER" cross join "shop"."customer" as "CUSTOMER" where (("ORDER"."order_no" = "ITEM"."order_no") and ("CUSTOMER"."id" = "ORDER"."customer") and ("CUSTOMER"."ctid" = any(array(select "found"."ctid" from "shop"."customer" as "found" where ("found"."name" ilike $4::text)))))) as "rows"))) and (exists (select from (select) as "one row" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) where (("DELIVERY"."ctid" in (select "found"."ctid" from "shop"."delivery" as "found" where ("found"."carrier" ilike $5::text))) or ("CUSTOMER"."ctid" in (select "found"."ctid" from "shop"."customer" as "found" where ("found"."name" ilike $6::text))))))) union all select null as "a1", count(*) as "a2" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("ORDER"."ctid" = any(array(select distinct "rows"."ctid" from (select "ORDER"."ctid" from "shop"."order" as "ORDER" cross join "shop"."item" as "ITEM" cross join "shop"."delivery" as "DELIVERY" where (("ITEM"."order_no" = "ORDER"."order_no") and ("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and ("DELIVERY"."ctid" = any(array(select "found"."ctid" from "shop"."delivery" as "found" where ("found"."carrier" ilike $7::text))))) union all select "ORDER"."ctid" from "shop"."order" as "ORDER" cross join "shop"."customer" as "CUSTOMER" where (("CUSTOMER"."id" = "ORDER"."customer") and ("CUSTOMER"."ctid" = any(array(select "found"."ctid" from "shop"."customer" as "found" where ("found"."name" ilike $8::text)))))) as "rows"))) and (exists (select from (select) as "one row" left join "shop"."item" as "ITEM" on ("ITEM"."order_no" = "ORDER"."order_no") left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no")) where (("DELIVERY"."ctid" in (select "found"."ctid" from "shop"."delivery" as "found" where ("found"."carrier" ilike $9::text))) or ("CUSTOMER"."ctid" in (select "found"."ctid" from "shop"."customer" as "found" where ("found"."name" ilike $10::text)))))))) as "grains" limit $11::bigint offset $12::bigint;
-- ["0","0","%rail%","%rail%","%rail%","%rail%","%rail%","%rail%","%rail%","%rail%","50","0"]
select $1::bigint;
-- ["1"]

-- a KPI by the months of a date
-- fields: ["ITEM.DUE:month"]
-- kpis: ["SALES"]
-- plan_cache_mode = force_custom_plan
select (date_trunc($1::text, ("ITEM"."due")::timestamp))::date, sum("ITEM"."net ""amount""") from "shop"."item" as "ITEM" group by 1 order by 1 nulls first limit $2::bigint offset $3::bigint;
-- ["month","50","0"]
select count(*) from (select (date_trunc($1::text, ("ITEM"."due")::timestamp))::date from "shop"."item" as "ITEM" group by 1) as "groups";
-- ["month"]

-- KPIs of two records by the quarters of a timestamp
-- fields: ["ORDER.MADE:quarter"]
-- kpis: ["SALES","ORDERS"]
-- plan_cache_mode = force_custom_plan
select "grains"."k1", max("grains"."a1"), coalesce(max("grains"."a2"), $1::bigint) from (select (date_trunc($2::text, ((timezone($3::text, "ORDER"."made"))::date)::timestamp))::date as "k1", sum("ITEM"."net ""amount""") as "a1", null as "a2" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") group by 1 union all select (date_trunc($4::text, ((timezone($5::text, "ORDER"."made"))::date)::timestamp))::date as "k1", null as "a1", count(*) as "a2" from "shop"."order" as "ORDER" group by 1) as "grains" group by 1 order by 1 nulls first limit $6::bigint offset $7::bigint;
-- ["0","quarter","UTC","quarter","UTC","50","0"]
select count(*) from (select "grains"."k1" from (select (date_trunc($1::text, ((timezone($2::text, "ORDER"."made"))::date)::timestamp))::date as "k1" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") group by 1 union all select (date_trunc($3::text, ((timezone($4::text, "ORDER"."made"))::date)::timestamp))::date as "k1" from "shop"."order" as "ORDER" group by 1) as "grains" group by 1) as "groups";
-- ["quarter","UTC","quarter","UTC"]

-- a KPI by the weeks and years of one date, with conditions on the date itself and on a KPI
-- fields: ["ITEM.DUE:week","ITEM.DUE:year"]
-- kpis: ["ITEMS"]
-- filterExpressions: ["ITEM.DUE ge 2026-01-01","SALES gt 50"]
-- plan_cache_mode = force_custom_plan
select (date_trunc($1::text, ("ITEM"."due")::timestamp))::date, (date_trunc($2::text, ("ITEM"."due")::timestamp))::date, count(*) from "shop"."item" as "ITEM" where ("ITEM"."due" >= $3::date) group by 1, 2 having (sum("ITEM"."net ""amount""") > $4::numeric) order by 1 nulls first, 2 nulls first limit $5::bigint offset $6::bigint;
-- ["week","year","2026-01-01","50","50","0"]
select count(*) from (select (date_trunc($1::text, ("ITEM"."due")::timestamp))::date, (date_trunc($2::text, ("ITEM"."due")::timestamp))::date from "shop"."item" as "ITEM" where ("ITEM"."due" >= $3::date) group by 1, 2 having (sum("ITEM"."net ""amount""") > $4::numeric)) as "groups";
-- ["week","year","2026-01-01","50"]

-- a page of groups by the days of a timestamp, the last first
-- fields: ["ORDER.MADE:day"]
-- kpis: ["FREIGHT"]
-- sort: "-ORDER.MADE:day"
-- pageSize: 2
-- plan_cache_mode = force_custom_plan
select (timezone($1::text, "ORDER"."made"))::date, sum("ORDER"."freight") from "shop"."order" as "ORDER" group by 1 order by 1 desc limit $2::bigint offset $3::bigint;
-- ["UTC","2","0"]
select count(*) from (select (timezone($1::text, "ORDER"."made"))::date from "shop"."order" as "ORDER" group by 1) as "groups";
-- ["UTC"]

-- distinct months of a record
-- record: "ORDER"
-- fields: ["MADE:month"]
-- distinct: true
-- sort: "-MADE:month"
select distinct (date_trunc($1::text, ((timezone($2::text, "ORDER"."made"))::date)::timestamp))::date from "shop"."order" as "ORDER" order by 1 desc limit $3::bigint offset $4::bigint;
-- ["month","UTC","50","0"]
select count(*) from (select distinct (date_trunc($1::text, ((timezone($2::text, "ORDER"."made"))::date)::timestamp))::date from "shop"."order" as "ORDER") as "rows";
-- ["month","UTC"]

-- rows of a record with a date and its month
-- record: "ITEM"
-- fields: ["DUE","DUE:month","DUE:day"]
-- filterExpressions: ["ORDER_NO eq 'C'"]
select "ITEM"."due", (date_trunc($1::text, ("ITEM"."due")::timestamp))::date, "ITEM"."due" from "shop"."item" as "ITEM" where ("ITEM"."order_no" = $2::text) order by "ITEM"."order_no", "ITEM"."item_no" limit $3::bigint offset $4::bigint;
-- ["month","C","50","0"]
select count(*) from "shop"."item" as "ITEM" where ("ITEM"."order_no" = $1::text);
-- ["C"]

-- under policies along paths: a page of a record
-- record: "ITEM"
-- fields: ["ORDER_NO","ITEM_NO"]
-- plan_cache_mode = force_custom_plan
select "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" where (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric))))) order by 1, 2 limit $4::bigint offset $5::bigint;
-- ["Rome","bob","60","50","0"]
select count(*) from "shop"."item" as "ITEM" where (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric)))));
-- ["Rome","bob","60"]

-- under policies along paths: a page of a record three steps away
-- record: "DELIVERY"
-- fields: ["ID"]
-- plan_cache_mode = force_custom_plan
select "DELIVERY"."id" from "shop"."delivery" as "DELIVERY" where (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $1::text) and ("policy 3.1"."name" <> $2::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $3::numeric))))) and (("policy 1.1"."product" = $4::text) is not true)))) order by 1 limit $5::bigint offset $6::bigint;
-- ["Rome","bob","60","Seal","50","0"]
select count(*) from "shop"."delivery" as "DELIVERY" where (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $1::text) and ("policy 3.1"."name" <> $2::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $3::numeric))))) and (("policy 1.1"."product" = $4::text) is not true))));
-- ["Rome","bob","60","Seal"]

-- under policies along paths: a record that everybody sees
-- record: "INVOICE"
-- fields: ["ID"]
select "INVOICE"."id" from "shop"."invoice" as "INVOICE" order by 1 limit $1::bigint offset $2::bigint;
-- ["50","0"]
select count(*) from "shop"."invoice" as "INVOICE";
-- []

-- under policies along paths: different values
-- record: "ITEM"
-- fields: ["PRODUCT"]
-- distinct: true
-- plan_cache_mode = force_custom_plan
select distinct "ITEM"."product" from "shop"."item" as "ITEM" where (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric))))) order by 1 nulls first limit $4::bigint offset $5::bigint;
-- ["Rome","bob","60","50","0"]
select count(*) from (select distinct "ITEM"."product" from "shop"."item" as "ITEM" where (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric)))))) as "rows";
-- ["Rome","bob","60"]

-- under policies along paths: a page behind a row in the order of the column that leads to the other record
-- record: "ITEM"
-- fields: ["ORDER_NO","ITEM_NO"]
-- keyset: {"skip":0,"after":["A","1"]}
-- plan_cache_mode = force_custom_plan
select "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" where ((exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and ("policy 1.1"."order_no" >= $3) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $4::numeric))))) and (("ITEM"."order_no", "ITEM"."item_no") > ($5, $6))) order by 1, 2 limit $7::bigint;
-- ["Rome","bob","A","60","A","1","50"]
select count(*) from "shop"."item" as "ITEM" where (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric)))));
-- ["Rome","bob","60"]

-- under policies along paths: the same downwards
-- record: "ITEM"
-- fields: ["AMOUNT"]
-- sort: "-AMOUNT"
-- keyset: {"skip":0,"after":["200","B","1"]}
-- plan_cache_mode = force_custom_plan
select "ITEM"."net ""amount""", "ITEM"."order_no", "ITEM"."item_no" from "shop"."item" as "ITEM" where ((exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric))))) and (("ITEM"."net ""amount""", "ITEM"."order_no", "ITEM"."item_no") < ($4, $5, $6))) order by 1 desc, "ITEM"."order_no" desc, "ITEM"."item_no" desc limit $7::bigint;
-- ["Rome","bob","60","200","B","1","50"]
select count(*) from "shop"."item" as "ITEM" where (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric)))));
-- ["Rome","bob","60"]

-- under policies along paths: downwards by the column that leads there
-- record: "DELIVERY"
-- fields: ["ORDER_NO"]
-- sort: "-ORDER_NO"
-- keyset: {"skip":0,"after":["A","3"]}
-- plan_cache_mode = force_custom_plan
select "DELIVERY"."order_no", "DELIVERY"."id" from "shop"."delivery" as "DELIVERY" where ((exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $1::text) and ("policy 3.1"."name" <> $2::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $3::numeric))))) and ("policy 1.1"."order_no" <= $4) and (("policy 1.1"."product" = $5::text) is not true)))) and (("DELIVERY"."order_no", "DELIVERY"."id") < ($6, $7))) order by 1 desc, "DELIVERY"."id" desc limit $8::bigint;
-- ["Rome","bob","60","A","Seal","A","3","50"]
select count(*) from "shop"."delivery" as "DELIVERY" where (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $1::text) and ("policy 3.1"."name" <> $2::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $3::numeric))))) and (("policy 1.1"."product" = $4::text) is not true))));
-- ["Rome","bob","60","Seal"]

-- under policies along paths: a search
-- record: "ITEM"
-- fields: ["ORDER_NO"]
-- search: {"term":"pump","precision":100}
-- plan_cache_mode = force_custom_plan
-- enable_seqscan = off
select "ITEM"."order_no" from "shop"."item" as "ITEM" where ((exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric))))) and ("ITEM"."ctid" = any(array(select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."item" as "found" where ("found"."order_no" ilike $4::text) union all select "found"."ctid" from "shop"."item" as "found" where ("found"."product" ilike $5::text) union all select "found"."ctid" from "shop"."item" as "found" where ((exists (select from unnest($6::text[]) as "texts"("text") where ("texts"."text" ilike $7::text))) and ((case when ("found"."net ""amount""" >= $8::bigint) then $9::text else $10::text end) ilike $11::text))) as "rows")))) order by 1, "ITEM"."item_no" limit $12::bigint offset $13::bigint;
-- ["Rome","bob","60","%pump%","%pump%",["large","small"],"%pump%","100","large","small","%pump%","50","0"]
select count(*) from "shop"."item" as "ITEM" where ((exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric))))) and ("ITEM"."ctid" = any(array(select distinct "rows"."ctid" from (select "found"."ctid" from "shop"."item" as "found" where ("found"."order_no" ilike $4::text) union all select "found"."ctid" from "shop"."item" as "found" where ("found"."product" ilike $5::text) union all select "found"."ctid" from "shop"."item" as "found" where ((exists (select from unnest($6::text[]) as "texts"("text") where ("texts"."text" ilike $7::text))) and ((case when ("found"."net ""amount""" >= $8::bigint) then $9::text else $10::text end) ilike $11::text))) as "rows"))));
-- ["Rome","bob","60","%pump%","%pump%",["large","small"],"%pump%","100","large","small","%pump%"]

-- under policies along paths: a filter on many related rows
-- record: "ORDER"
-- fields: ["ORDER_NO"]
-- filterExpressions: ["DELIVERY.CARRIER eq 'ship'"]
-- plan_cache_mode = force_custom_plan
select "ORDER"."order_no" from "shop"."order" as "ORDER" where ((exists (select from "shop"."customer" as "policy 1.1" where (("policy 1.1"."id" = "ORDER"."customer") and ("policy 1.1"."city" = $1::text) and ("policy 1.1"."name" <> $2::text)))) and (exists (select from "shop"."item" as "ITEM" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $3::text) and ("policy 3.1"."name" <> $4::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $5::numeric))))) and (("policy 1.1"."product" = $6::text) is not true))))) where (("ITEM"."order_no" = "ORDER"."order_no") and (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $7::text) and ("policy 2.1"."name" <> $8::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $9::numeric))))) and ("DELIVERY"."carrier" = $10::text))))) order by 1 limit $11::bigint offset $12::bigint;
-- ["Rome","bob","Rome","bob","60","Seal","Rome","bob","60","ship","50","0"]
select count(*) from "shop"."order" as "ORDER" where ((exists (select from "shop"."customer" as "policy 1.1" where (("policy 1.1"."id" = "ORDER"."customer") and ("policy 1.1"."city" = $1::text) and ("policy 1.1"."name" <> $2::text)))) and (exists (select from "shop"."item" as "ITEM" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $3::text) and ("policy 3.1"."name" <> $4::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $5::numeric))))) and (("policy 1.1"."product" = $6::text) is not true))))) where (("ITEM"."order_no" = "ORDER"."order_no") and (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $7::text) and ("policy 2.1"."name" <> $8::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $9::numeric))))) and ("DELIVERY"."carrier" = $10::text)))));
-- ["Rome","bob","Rome","bob","60","Seal","Rome","bob","60","ship"]

-- under policies along paths: a filter on related rows that are hidden
-- record: "ORDER"
-- fields: ["ORDER_NO"]
-- filterExpressions: ["DELIVERY.CARRIER eq 'road'"]
-- plan_cache_mode = force_custom_plan
select "ORDER"."order_no" from "shop"."order" as "ORDER" where ((exists (select from "shop"."customer" as "policy 1.1" where (("policy 1.1"."id" = "ORDER"."customer") and ("policy 1.1"."city" = $1::text) and ("policy 1.1"."name" <> $2::text)))) and (exists (select from "shop"."item" as "ITEM" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $3::text) and ("policy 3.1"."name" <> $4::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $5::numeric))))) and (("policy 1.1"."product" = $6::text) is not true))))) where (("ITEM"."order_no" = "ORDER"."order_no") and (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $7::text) and ("policy 2.1"."name" <> $8::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $9::numeric))))) and ("DELIVERY"."carrier" = $10::text))))) order by 1 limit $11::bigint offset $12::bigint;
-- ["Rome","bob","Rome","bob","60","Seal","Rome","bob","60","road","50","0"]
select count(*) from "shop"."order" as "ORDER" where ((exists (select from "shop"."customer" as "policy 1.1" where (("policy 1.1"."id" = "ORDER"."customer") and ("policy 1.1"."city" = $1::text) and ("policy 1.1"."name" <> $2::text)))) and (exists (select from "shop"."item" as "ITEM" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $3::text) and ("policy 3.1"."name" <> $4::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $5::numeric))))) and (("policy 1.1"."product" = $6::text) is not true))))) where (("ITEM"."order_no" = "ORDER"."order_no") and (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $7::text) and ("policy 2.1"."name" <> $8::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $9::numeric))))) and ("DELIVERY"."carrier" = $10::text)))));
-- ["Rome","bob","Rome","bob","60","Seal","Rome","bob","60","road"]

-- under policies along paths: related rows beside rows that everybody sees: a hidden one is as none
-- record: "INVOICE"
-- fields: ["ID"]
-- relatedFields: ["ORDER.FREIGHT"]
-- plan_cache_mode = force_custom_plan
select "INVOICE"."id", "ORDER"."freight", "ORDER"."order_no" from "shop"."invoice" as "INVOICE" left join "shop"."order" as "ORDER" on (("ORDER"."order_no" = "INVOICE"."order_no") and (exists (select from "shop"."customer" as "policy 1.1" where (("policy 1.1"."id" = "ORDER"."customer") and ("policy 1.1"."city" = $1::text) and ("policy 1.1"."name" <> $2::text))))) order by 1 limit $3::bigint offset $4::bigint;
-- ["Rome","bob","50","0"]
select count(*) from "shop"."invoice" as "INVOICE";
-- []

-- under policies along paths: rows of several records
-- fields: ["ITEM.PRODUCT","DELIVERY.ID"]
-- plan_cache_mode = force_custom_plan
select "ITEM"."product", "DELIVERY"."id" from "shop"."delivery" as "DELIVERY" left join "shop"."item" as "ITEM" on (("ITEM"."order_no" = "DELIVERY"."order_no") and ("ITEM"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 1.1" where (("policy 1.1"."order_no" = "ITEM"."order_no") and (exists (select from "shop"."customer" as "policy 2.1" where (("policy 2.1"."id" = "policy 1.1"."customer") and ("policy 2.1"."city" = $1::text) and ("policy 2.1"."name" <> $2::text)))) and (("policy 1.1"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric)))))) where (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $4::text) and ("policy 3.1"."name" <> $5::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $6::numeric))))) and (("policy 1.1"."product" = $7::text) is not true)))) order by 2 limit $8::bigint offset $9::bigint;
-- ["Rome","bob","60","Rome","bob","60","Seal","50","0"]
select count(*) from "shop"."delivery" as "DELIVERY" where (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $1::text) and ("policy 3.1"."name" <> $2::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $3::numeric))))) and (("policy 1.1"."product" = $4::text) is not true))));
-- ["Rome","bob","60","Seal"]

-- under policies along paths: KPIs of several records
-- kpis: ["SALES","ITEMS","FREIGHT","ORDERS","BILLED"]
-- plan_cache_mode = force_custom_plan
select max("grains"."a1"), coalesce(max("grains"."a2"), $1::bigint), max("grains"."a3"), coalesce(max("grains"."a4"), $2::bigint), max("grains"."a5") from (select "grains"."a1" as "a1", "grains"."a2" as "a2", "grains"."a3" as "a3", "grains"."a4" as "a4", null as "a5" from (select sum("ITEM"."net ""amount""") as "a1", count(*) as "a2", null as "a3", null as "a4" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $3::text) and (("CUSTOMER"."name" = $4::text) is not true) and (("ORDER"."freight" is null) or ("ITEM"."net ""amount""" > $5::numeric))) union all select null as "a1", null as "a2", sum("ORDER"."freight") as "a3", count(*) as "a4" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $6::text) and (("CUSTOMER"."name" = $7::text) is not true))) as "grains" union all select null as "a1", null as "a2", null as "a3", null as "a4", sum("INVOICE"."total") as "a5" from "shop"."invoice" as "INVOICE") as "grains" limit $8::bigint offset $9::bigint;
-- ["0","0","Rome","bob","60","Rome","bob","50","0"]
select $1::bigint;
-- ["1"]

-- under policies along paths: KPIs by a field that a policy reads
-- fields: ["ORDER.FREIGHT"]
-- kpis: ["SALES"]
-- plan_cache_mode = force_custom_plan
select "ORDER"."freight", sum("ITEM"."net ""amount""") from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $1::text) and (("CUSTOMER"."name" = $2::text) is not true) and (("ORDER"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric))) group by 1 order by 1 nulls first limit $4::bigint offset $5::bigint;
-- ["Rome","bob","60","50","0"]
select count(*) from (select "ORDER"."freight" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $1::text) and (("CUSTOMER"."name" = $2::text) is not true) and (("ORDER"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric))) group by 1) as "groups";
-- ["Rome","bob","60"]

-- under policies along paths: KPIs by a field behind it
-- fields: ["CUSTOMER.CITY"]
-- kpis: ["SALES","ITEMS"]
-- plan_cache_mode = force_custom_plan
select "CUSTOMER"."city", sum("ITEM"."net ""amount"""), count(*) from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $1::text) and (("CUSTOMER"."name" = $2::text) is not true) and (("ORDER"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric))) group by 1 order by 1 nulls first limit $4::bigint offset $5::bigint;
-- ["Rome","bob","60","50","0"]
select count(*) from (select "CUSTOMER"."city" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $1::text) and (("CUSTOMER"."name" = $2::text) is not true) and (("ORDER"."freight" is null) or ("ITEM"."net ""amount""" > $3::numeric))) group by 1) as "groups";
-- ["Rome","bob","60"]

-- under policies along paths: KPIs of rows that everybody sees by a field of rows that are hidden
-- fields: ["ORDER.ORDER_NO"]
-- kpis: ["BILLED"]
-- plan_cache_mode = force_custom_plan
select "ORDER"."order_no", sum("INVOICE"."total") from "shop"."invoice" as "INVOICE" left join "shop"."order" as "ORDER" on (("ORDER"."order_no" = "INVOICE"."order_no") and (exists (select from "shop"."customer" as "policy 1.1" where (("policy 1.1"."id" = "ORDER"."customer") and ("policy 1.1"."city" = $1::text) and ("policy 1.1"."name" <> $2::text))))) group by 1 order by 1 nulls first limit $3::bigint offset $4::bigint;
-- ["Rome","bob","50","0"]
select count(*) from (select "ORDER"."order_no" from "shop"."invoice" as "INVOICE" left join "shop"."order" as "ORDER" on (("ORDER"."order_no" = "INVOICE"."order_no") and (exists (select from "shop"."customer" as "policy 1.1" where (("policy 1.1"."id" = "ORDER"."customer") and ("policy 1.1"."city" = $1::text) and ("policy 1.1"."name" <> $2::text))))) group by 1) as "groups";
-- ["Rome","bob"]

-- under policies along paths: KPIs by a field of which a row has several
-- fields: ["DELIVERY.CARRIER"]
-- kpis: ["SALES","ITEMS"]
-- plan_cache_mode = force_custom_plan
select "rows"."k1", sum("rows"."c1"), count(*) from (select distinct "ITEM"."order_no" as "i1", "ITEM"."item_no" as "i2", "DELIVERY"."carrier" as "k1", "ITEM"."net ""amount""" as "c1" from "shop"."item" as "ITEM" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $1::text) and ("policy 3.1"."name" <> $2::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $3::numeric))))) and (("policy 1.1"."product" = $4::text) is not true))))) left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $5::text) and (("CUSTOMER"."name" = $6::text) is not true) and (("ORDER"."freight" is null) or ("ITEM"."net ""amount""" > $7::numeric)))) as "rows" group by 1 order by 1 nulls first limit $8::bigint offset $9::bigint;
-- ["Rome","bob","60","Seal","Rome","bob","60","50","0"]
select count(*) from (select "DELIVERY"."carrier" from "shop"."item" as "ITEM" left join "shop"."delivery" as "DELIVERY" on (("DELIVERY"."order_no" = "ITEM"."order_no") and ("DELIVERY"."item_no" = "ITEM"."item_no") and (exists (select from "shop"."item" as "policy 1.1" where (("policy 1.1"."order_no" = "DELIVERY"."order_no") and ("policy 1.1"."item_no" = "DELIVERY"."item_no") and (exists (select from "shop"."order" as "policy 2.1" where (("policy 2.1"."order_no" = "policy 1.1"."order_no") and (exists (select from "shop"."customer" as "policy 3.1" where (("policy 3.1"."id" = "policy 2.1"."customer") and ("policy 3.1"."city" = $1::text) and ("policy 3.1"."name" <> $2::text)))) and (("policy 2.1"."freight" is null) or ("policy 1.1"."net ""amount""" > $3::numeric))))) and (("policy 1.1"."product" = $4::text) is not true))))) left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $5::text) and (("CUSTOMER"."name" = $6::text) is not true) and (("ORDER"."freight" is null) or ("ITEM"."net ""amount""" > $7::numeric))) group by 1) as "groups";
-- ["Rome","bob","60","Seal","Rome","bob","60"]

-- under policies along paths: KPIs for a caller without the attribute
-- kpis: ["SALES","ITEMS","ORDERS"]
-- plan_cache_mode = force_custom_plan
select max("grains"."a1"), coalesce(max("grains"."a2"), $1::bigint), coalesce(max("grains"."a3"), $2::bigint) from (select sum("ITEM"."net ""amount""") as "a1", count(*) as "a2", null as "a3" from "shop"."item" as "ITEM" left join "shop"."order" as "ORDER" on ("ORDER"."order_no" = "ITEM"."order_no") left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (false and (("CUSTOMER"."name" = $3::text) is not true) and (("ORDER"."freight" is null) or ("ITEM"."net ""amount""" > $4::numeric))) union all select null as "a1", null as "a2", count(*) as "a3" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (false and (("CUSTOMER"."name" = $5::text) is not true))) as "grains" limit $6::bigint offset $7::bigint;
-- ["0","0","bob","60","bob","50","0"]
select $1::bigint;
-- ["1"]
