-- The floor of knowledge models: SQL by hand for each question over the table of sales.

-- name: page
-- $1: country, $2: amount, $3: how many, $4: behind how many.
select id, country, plant, customer, product, status, quantity, amount, express, sold_on
from "meridian.bench".sale where country = $1 and amount > $2 order by sold_on desc, id desc limit $3 offset $4;

-- name: count
select count(*) as total from "meridian.bench".sale where country = $1 and amount > $2;

-- name: wide
select * from "meridian.bench".sale order by id limit $1 offset $2;

-- name: SALE.PLANT
-- $1: amount; this and the next two are named by the fields of the question.
select plant, sum(amount) as revenue, avg(case when express then 1.0 else 0.0 end) as express_rate, count(*) as sales
from "meridian.bench".sale where amount > $1 group by plant order by plant;

-- name: SALE.SOLD_ON:month
select date_trunc('month', sold_on)::date as month, sum(amount) as revenue, count(distinct customer) as customers
from "meridian.bench".sale where amount > $1 group by 1 order by 1;

-- name: ARTICLE.FAMILY
select a.family, sum(s.amount) as revenue, count(*) as sales
from "meridian.bench".sale s left join "meridian.bench".article a on a.id = s.product
where s.amount > $1 group by a.family order by a.family;

-- name: kpis-of-plants
select plant, sum(amount) as revenue, avg(case when express then 1.0 else 0.0 end) as express_rate, count(*) as sales
from "meridian.bench".sale where plant = any($1) and country <> $2 group by plant order by plant;

-- name: entries
select id as "ID", country as "COUNTRY", plant as "PLANT", customer as "CUSTOMER", product as "PRODUCT", status as "STATUS",
  quantity as "QUANTITY", amount as "AMOUNT", express as "EXPRESS", sold_on as "SOLD_ON"
from "meridian.bench".sale where country = $1 and amount > $2 order by sold_on desc, id desc limit $3;

-- name: pull
-- Behind the entry before, as the product pages.
select id as "ID", country as "COUNTRY", plant as "PLANT", customer as "CUSTOMER", product as "PRODUCT", category as "CATEGORY",
  channel as "CHANNEL", status as "STATUS", currency as "CURRENCY", quantity as "QUANTITY", price as "PRICE", amount as "AMOUNT",
  discount as "DISCOUNT", tax as "TAX", express as "EXPRESS", sold_on as "SOLD_ON", shipped_on as "SHIPPED_ON",
  created_at as "CREATED_AT", contract as "CONTRACT", note as "NOTE"
from "meridian.bench".sale where id > $1 order by id limit $2;
