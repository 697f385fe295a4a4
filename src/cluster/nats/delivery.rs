//! Messages from a server, and their acknowledgement.

use std::sync::Arc;

use async_nats::jetstream::{AckKind, Message};
use tokio::runtime::Handle;

use super::connection::{ANSWER, failed};
use crate::cluster::link::{Delivered, LinkError, Receipt};

/// A message for the fleet; `handle` is the runtime that acknowledges it.
pub(super) fn delivered(message: Message, handle: &Handle) -> Delivered {
    let deliveries = message
        .info()
        .map_or(1, |info| info.delivered.max(1) as u64);
    Delivered {
        body: message.payload.to_vec(),
        deliveries,
        receipt: Arc::new(NatsReceipt {
            message,
            handle: handle.clone(),
        }),
    }
}

struct NatsReceipt {
    message: Message,
    handle: Handle,
}

impl NatsReceipt {
    fn answer(&self, kind: AckKind) -> Result<(), LinkError> {
        let answered = async { tokio::time::timeout(ANSWER, self.message.ack_with(kind)).await };
        match self.handle.block_on(answered) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(failed("acknowledgement")(&error)),
            Err(_) => Err(LinkError("the server does not answer".to_owned())),
        }
    }
}

impl Receipt for NatsReceipt {
    fn renew(&self) -> Result<(), LinkError> {
        self.answer(AckKind::Progress)
    }

    fn acknowledge(&self) -> Result<(), LinkError> {
        self.answer(AckKind::Ack)
    }
}
