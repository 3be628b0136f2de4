-- all fields of a record, by its attributes alone
select count(*), count("ITEM"."order_no"), count("ITEM"."item_no"), avg("ITEM"."item_no"), stddev_samp("ITEM"."item_no"), min("ITEM"."item_no"), max("ITEM"."item_no"), percentile_disc((array(select ((div((("quarter"."number" * ("counted"."n" - $1::bigint)) + "quarter"."upper"), $2::numeric) + $3::numeric) / nullif("counted"."n", $4::bigint)) from (select count("ITEM"."item_no") as "n" from "shop"."item" as "ITEM") as "counted" cross join unnest($5::bigint[], $6::bigint[]) as "quarter"("number", "upper")))::double precision[]) within group (order by "ITEM"."item_no"), count("ITEM"."net ""amount"""), avg("ITEM"."net ""amount"""), stddev_samp("ITEM"."net ""amount"""), min("ITEM"."net ""amount"""), max("ITEM"."net ""amount"""), percentile_disc((array(select ((div((("quarter"."number" * ("counted"."n" - $7::bigint)) + "quarter"."upper"), $8::numeric) + $9::numeric) / nullif("counted"."n", $10::bigint)) from (select count("ITEM"."net ""amount""") as "n" from "shop"."item" as "ITEM") as "counted" cross join unnest($11::bigint[], $12::bigint[]) as "quarter"("number", "upper")))::double precision[]) within group (order by "ITEM"."net ""amount"""), count("ITEM"."product"), count("ITEM"."due") from "shop"."item" as "ITEM";
-- ["1","4","0.5","0",[1,1,2,2,3,3],[0,3,0,3,0,3],"1","4","0.5","0",[1,1,2,2,3,3],[0,3,0,3,0,3]]
select "ITEM"."order_no", count(*), count(*) over () from "shop"."item" as "ITEM" group by 1 order by 2 desc, 1 limit $1::bigint;
-- ["1"]
select "ITEM"."product", count(*), count(*) over () from "shop"."item" as "ITEM" where (not ("ITEM"."product" is null)) group by 1 order by 2 desc, 1 limit $1::bigint;
-- ["1"]
select "ITEM"."due", count(*), count(*) over () from "shop"."item" as "ITEM" where (not ("ITEM"."due" is null)) group by 1 order by 2 desc, 1 limit $1::bigint;
-- ["1"]

-- the fields that are named and not left out, over the rows that match
select count(*), count("ORDER"."customer"), avg("ORDER"."customer"), stddev_samp("ORDER"."customer"), min("ORDER"."customer"), max("ORDER"."customer"), percentile_disc((array(select ((div((("quarter"."number" * ("counted"."n" - $1::bigint)) + "quarter"."upper"), $2::numeric) + $3::numeric) / nullif("counted"."n", $4::bigint)) from (select count("ORDER"."customer") as "n" from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $5::text) and (exists (select from "shop"."item" as "ITEM" where (("ITEM"."order_no" = "ORDER"."order_no") and ("ITEM"."net ""amount""" >= $6::numeric)))))) as "counted" cross join unnest($7::bigint[], $8::bigint[]) as "quarter"("number", "upper")))::double precision[]) within group (order by "ORDER"."customer"), count("ORDER"."order_no") from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $9::text) and (exists (select from "shop"."item" as "ITEM" where (("ITEM"."order_no" = "ORDER"."order_no") and ("ITEM"."net ""amount""" >= $10::numeric)))));
-- ["1","4","0.5","0","Rome","100",[1,1,2,2,3,3],[0,3,0,3,0,3],"Rome","100"]
select "ORDER"."order_no", count(*), count(*) over () from "shop"."order" as "ORDER" left join "shop"."customer" as "CUSTOMER" on ("CUSTOMER"."id" = "ORDER"."customer") where (("CUSTOMER"."city" = $1::text) and (exists (select from "shop"."item" as "ITEM" where (("ITEM"."order_no" = "ORDER"."order_no") and ("ITEM"."net ""amount""" >= $2::numeric))))) group by 1 order by 2 desc, 1 limit $3::bigint;
-- ["Rome","100","1"]

-- only the rows that the caller sees, itself and behind a filter
select count(*), count("CUSTOMER"."name"), count("CUSTOMER"."city") from "shop"."customer" as "CUSTOMER" where ("CUSTOMER"."city" = $1::text);
-- ["Rome"]
select "CUSTOMER"."name", count(*), count(*) over () from "shop"."customer" as "CUSTOMER" where ("CUSTOMER"."city" = $1::text) group by 1 order by 2 desc, 1 limit $2::bigint;
-- ["Rome","1"]
select "CUSTOMER"."city", count(*), count(*) over () from "shop"."customer" as "CUSTOMER" where (("CUSTOMER"."city" = $1::text) and (not ("CUSTOMER"."city" is null))) group by 1 order by 2 desc, 1 limit $2::bigint;
-- ["Rome","1"]

-- no rows
select count(*), count("INVOICE"."total"), avg("INVOICE"."total"), stddev_samp("INVOICE"."total"), min("INVOICE"."total"), max("INVOICE"."total"), percentile_disc((array(select ((div((("quarter"."number" * ("counted"."n" - $1::bigint)) + "quarter"."upper"), $2::numeric) + $3::numeric) / nullif("counted"."n", $4::bigint)) from (select count("INVOICE"."total") as "n" from "shop"."invoice" as "INVOICE" where ("INVOICE"."id" > $5::bigint)) as "counted" cross join unnest($6::bigint[], $7::bigint[]) as "quarter"("number", "upper")))::double precision[]) within group (order by "INVOICE"."total"), count("INVOICE"."paid"), count("INVOICE"."order_no") from "shop"."invoice" as "INVOICE" where ("INVOICE"."id" > $8::bigint);
-- ["1","4","0.5","0","100",[1,1,2,2,3,3],[0,3,0,3,0,3],"100"]
select "INVOICE"."order_no", count(*), count(*) over () from "shop"."invoice" as "INVOICE" where (("INVOICE"."id" > $1::bigint) and (not ("INVOICE"."order_no" is null))) group by 1 order by 2 desc, 1 limit $2::bigint;
-- ["100","1"]

-- fields that are no attributes by nothing, and the rows nevertheless
select count(*) from "shop"."item" as "ITEM";
-- []
